// The compiler loads a module of this name by itself in every file that imports both CoreGraphics and Testing; without
// one such a file does not compile. It has nothing of its own.

@_exported import Quartz2D
