// `import QuartzCore`, unchanged, for source written on Apple's platforms. Opt in: a module of this name in a package
// graph makes `#if canImport(QuartzCore)` true in every package of the graph.

@_exported import CoreAnimation
