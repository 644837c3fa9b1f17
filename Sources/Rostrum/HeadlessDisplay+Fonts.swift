import Quartz2D

extension HeadlessDisplay {
    /// From now on, this process sets text in the fonts of these folders and of no other, so that another machine sets it alike;
    /// with no folder, in those of the system again. Layers that show text already show it as it was until they are displayed
    /// again.
    ///
    /// - Throws: `FontFolderError` for a folder that is not there, and when none holds a font; nothing changes then.
    public static func useFonts(in folders: [String]) throws(FontFolderError) {
        try TextEngine.shared.pin(folders)
    }

    /// The families that text is set in, sorted.
    public static var fontFamilies: [String] { TextEngine.shared.families }
}
