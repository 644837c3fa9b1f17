// `import CoreGraphics`, unchanged, for source written on Apple's platforms. Opt in: a module of this name in a package
// graph makes `#if canImport(CoreGraphics)` true in every package of the graph.

@_exported import Quartz2D
