import Quartz2D
import Rostrum

/// The fonts that text is set in.
enum FontFolders {
    static let flag = Flag(
        "font-dir", value: "DIR",
        "Set text in the fonts of this folder, and of no other: the same on every machine.\nSeveral folders with colons between."
    )

    /// Before text is set.
    ///
    /// - Throws: `CommandFailure` for a folder that is not there, and when none holds a font.
    static func use(_ arguments: Arguments) throws {
        guard arguments.isSet("font-dir") else { return }
        let folders = try arguments.required("font-dir").split(separator: ":").map(String.init)
        guard !folders.isEmpty else { throw arguments.bad("font-dir", "must name a folder") }
        do throws(FontFolderError) {
            try HeadlessDisplay.useFonts(in: folders)
        } catch {
            throw CommandFailure(.badInput, "--font-dir: \(error)", help: "name folders with .ttf, .otf or .ttc files")
        }
    }
}
