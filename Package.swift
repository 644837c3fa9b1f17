// swift-tools-version: 6.2
// Rostrum: Core Animation for Linux servers. The folders and what may import what: docs/how-a-frame-works.md.

import PackageDescription

let package = Package(
    name: "Rostrum",
    products: [
        .library(name: "Rostrum", targets: ["Rostrum"]),
        .library(name: "CoreAnimation", targets: ["CoreAnimation"]),
        .library(name: "Quartz2D", targets: ["Quartz2D"]),
        .library(name: "CAML", targets: ["CAML"]),
        .library(name: "QuartzCore", targets: ["QuartzCore"]),
        .library(name: "CoreGraphics", targets: ["CoreGraphics", "_Testing_CoreGraphics"]),
        .executable(name: "rostrum", targets: ["RostrumCommand"]),
    ],
    targets: [
        // System: module maps, C shims
        .target(name: "CLinux", path: "Sources/System/CLinux"),
        .target(
            name: "CGraphics", path: "Sources/System/CGraphics",
            linkerSettings: [.linkedLibrary("dl")]),
        .target(
            name: "CImageCodecs", path: "Sources/System/CImageCodecs",
            linkerSettings: [
                .linkedLibrary("png16"), .linkedLibrary("jpeg"), .linkedLibrary("webp"), .linkedLibrary("z"),
            ]),
        .systemLibrary(
            name: "CZip", path: "Sources/System/CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(
            name: "CCairo", path: "Sources/System/CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(
            name: "CFreeType", path: "Sources/System/CFreeType", pkgConfig: "freetype2",
            providers: [.apt(["libfreetype-dev"])]),
        .target(
            name: "CPango", path: "Sources/System/CPango",
            linkerSettings: [
                .linkedLibrary("pangocairo-1.0"), .linkedLibrary("pangoft2-1.0"), .linkedLibrary("pango-1.0"),
                .linkedLibrary("gobject-2.0"), .linkedLibrary("glib-2.0"), .linkedLibrary("fontconfig"),
            ]),
        .target(name: "CShaders", path: "Shaders", exclude: ["README.md"]),

        // Shared: what both sides of the socket agree on (no Foundation)
        .target(name: "LayerModel", path: "Sources/Shared/LayerModel"),
        .target(name: "Paths", dependencies: ["LayerModel"], path: "Sources/Shared/Paths"),
        .target(name: "LayerWire", dependencies: ["LayerModel", "CLinux"], path: "Sources/Shared/LayerWire"),

        // Client: what an app links
        .target(
            name: "Quartz2D", dependencies: ["LayerModel", "Paths", "CImageCodecs", "CCairo", "CPango", "CLinux"],
            path: "Sources/Client/Quartz2D"),
        .target(
            name: "CoreAnimation", dependencies: ["Quartz2D", "LayerModel", "LayerWire"],
            path: "Sources/Client/CoreAnimation"),
        .target(
            name: "CAML", dependencies: ["CoreAnimation", "Quartz2D", "LayerModel", "CLinux", "CZip"],
            path: "Sources/Client/CAML"),
        .target(name: "QuartzCore", dependencies: ["CoreAnimation"], path: "Sources/Client/Shims/QuartzCore"),
        .target(name: "CoreGraphics", dependencies: ["Quartz2D"], path: "Sources/Client/Shims/CoreGraphics"),
        .target(
            name: "_Testing_CoreGraphics", dependencies: ["Quartz2D"], path: "Sources/Client/Shims/TestingCoreGraphics"),

        // Server: what turns transactions into frames (no Foundation)
        .target(name: "LayerRender", dependencies: ["LayerModel", "Paths"], path: "Sources/Server/LayerRender"),
        .target(
            name: "LayerGPU", dependencies: ["LayerRender", "LayerModel", "CGraphics", "CShaders", "CLinux"],
            path: "Sources/Server/LayerGPU"),
        .target(
            name: "RenderServer",
            dependencies: ["LayerGPU", "LayerRender", "LayerWire", "LayerModel", "CLinux"],
            path: "Sources/Server/RenderServer"),

        // App: client + embedded server, and the command line
        .target(
            name: "Rostrum", dependencies: ["CoreAnimation", "Quartz2D", "CAML", "RenderServer"],
            path: "Sources/Rostrum"),
        .executableTarget(
            name: "RostrumCommand",
            dependencies: [
                "Rostrum", "CoreAnimation", "Quartz2D", "CAML", "RenderServer", "LayerGPU", "LayerRender", "LayerWire",
                "LayerModel", "Paths", "CLinux", "CCairo", "CFreeType",
            ],
            path: "Sources/Command"),

        // Examples: an app's code. In this package, so that it is built once, and so without the shims.
        .executableTarget(
            name: "RostrumGallery", dependencies: ["Rostrum", "CoreAnimation"], path: "Examples/Gallery"),

        // Testing
        .target(
            name: "ReferenceCompositor", dependencies: ["LayerModel"], path: "Sources/Testing/ReferenceCompositor"),
        .target(name: "TestFiles", dependencies: ["CLinux"], path: "Sources/Testing/TestFiles"),
        .testTarget(name: "LayerWireTests", dependencies: ["LayerWire", "LayerModel", "CLinux", "TestFiles"]),
        .testTarget(
            name: "RenderServerTests",
            dependencies: [
                "RenderServer", "LayerWire", "LayerGPU", "LayerRender", "LayerModel", "CGraphics", "CLinux", "Rostrum",
                "CoreAnimation", "Quartz2D", "TestFiles",
            ]),
        .testTarget(name: "LayerModelTests", dependencies: ["LayerModel"]),
        .testTarget(name: "Quartz2DTests", dependencies: ["Quartz2D", "LayerModel"], exclude: ["Fixtures"]),
        .testTarget(
            name: "PathsTests",
            dependencies: ["Paths", "LayerModel", "ReferenceCompositor", "CFreeType", "CCairo"]),
        .testTarget(name: "LayerRenderTests", dependencies: ["LayerRender", "LayerModel"]),
        .testTarget(
            name: "LayerGPUTests",
            dependencies: ["LayerGPU", "LayerRender", "LayerModel", "ReferenceCompositor", "CGraphics"]),
        .testTarget(name: "CoreAnimationTests", dependencies: ["CoreAnimation", "Quartz2D", "LayerModel"]),
        .testTarget(name: "CAMLTests", dependencies: ["CAML", "CoreAnimation", "Quartz2D", "LayerModel"]),
        .testTarget(
            name: "CommandTests", dependencies: ["RostrumCommand", "LayerWire", "LayerModel", "Quartz2D", "CLinux"]),
        .testTarget(name: "ReferenceCompositorTests", dependencies: ["ReferenceCompositor", "LayerModel"]),
        .testTarget(name: "DocumentationTests"),
        .testTarget(name: "GalleryTests", dependencies: ["RostrumGallery", "Rostrum"]),
        .testTarget(
            name: "RostrumTests",
            dependencies: [
                "Rostrum", "CoreAnimation", "CAML", "LayerModel", "LayerRender", "LayerWire", "RenderServer",
            ]),
        .testTarget(
            name: "PictureTests",
            dependencies: [
                "Rostrum", "CoreAnimation", "Quartz2D", "CAML", "ReferenceCompositor", "RenderServer", "LayerGPU",
                "LayerRender", "LayerWire", "LayerModel", "RostrumCommand",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzers have no main of their own, so they link with -sanitize=fuzzer only: tools/fuzz sets this.
if Context.environment["ROSTRUM_FUZZ"] != nil {
    package.targets += [
        .executableTarget(name: "FuzzWire", dependencies: ["LayerWire"], path: "Tests/Fuzz/FuzzWire"),
        .executableTarget(name: "FuzzCAML", dependencies: ["CAML"], path: "Tests/Fuzz/FuzzCAML"),
    ]
}
