import CGraphics

/// The loaded libraries. Immutable once filled; one of them serves the whole process.
package struct GraphicsLibrary: @unchecked Sendable {
    /// Plain function pointers. Replaced only by tests, to let a driver fail.
    package var table: GraphicsTable

    /// The system's libraries, loaded at the first use.
    ///
    /// - Throws: `GPUError.libraryMissing`, the same at every use.
    package static func system() throws(GPUError) -> GraphicsLibrary {
        try loaded.get()
    }

    private static let loaded = Result { () throws(GPUError) in try load(graphics_default_names()) }

    /// Loads libraries by name.
    ///
    /// - Throws: `GPUError.libraryMissing` for EGL and GLES. A missing GBM only closes that platform.
    package static func load(_ names: GraphicsLibraryNames) throws(GPUError) -> GraphicsLibrary {
        let table = UnsafeMutablePointer<GraphicsTable>.allocate(capacity: 1)
        defer { table.deallocate() }
        var failure = GraphicsLoadFailure()
        guard graphics_load(names, table, &failure) else {
            throw .libraryMissing(
                library: failure.library.map { String(cString: $0) } ?? "",
                symbol: failure.symbol.map { String(cString: $0) },
                package: failure.package.map { String(cString: $0) } ?? "",
                detail: withUnsafeBytes(of: failure.detail) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return GraphicsLibrary(table: table.pointee)
    }
}
