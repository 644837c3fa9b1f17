// swift-tools-version: 6.2
// A package that uses Rostrum under Apple's module names. It shows how to opt in, and its build checks that source
// written for Apple's platforms, tests included, compiles unchanged.

import PackageDescription

let package = Package(
    name: "ShimConsumer",
    dependencies: [.package(name: "Rostrum", path: "../..")],
    targets: [
        .target(name: "Drawing", dependencies: [.product(name: "CoreGraphics", package: "Rostrum")]),
        .testTarget(
            name: "DrawingTests",
            dependencies: ["Drawing", .product(name: "CoreGraphics", package: "Rostrum")]),
    ],
    swiftLanguageModes: [.v6]
)
