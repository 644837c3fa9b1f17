// The fonts of the process, and the one lock around Pango, whose font maps belong to one thread at a time.
//
// Pinned fonts (`--font-dir`) replace those of the system: a configuration without rules that holds nothing but the folders
// given, so that another machine sets the same text in the same places. Hinting is off and positions are not rounded: text
// takes the same room at every scale.

import CCairo
import CPango
import Foundation
import Glibc

/// A folder of fonts that can't be used.
public struct FontFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder as it was given.
    public var folder: String
    /// What is wrong with it.
    public var problem: String

    public var description: String { "\(folder): \(problem)" }
}

package final class TextEngine: @unchecked Sendable {
    package static let shared = TextEngine()

    struct Metrics {
        var family: String
        /// Points; down is positive for `descent`. Positions are upwards from the baseline.
        var ascent: Double
        var descent: Double
        var underlinePosition: Double
        var underlineThickness: Double
        var strikethroughPosition: Double
        var strikethroughThickness: Double
    }

    private struct MetricsKey: Hashable {
        var name: FontName
        var size: Double
    }

    private let lock = NSRecursiveLock()
    private var config: OpaquePointer?
    private var context: OpaquePointer?
    private var known: [MetricsKey: Metrics] = [:]
    private(set) var pinned: [String] = []
    private var changes = 0

    /// Runs with the context that layouts are made in, alone.
    func withContext<R>(_ body: (OpaquePointer) -> R) -> R? {
        lock.withLock {
            guard let context = context ?? makeContext() else { return nil }
            self.context = context
            return body(context)
        }
    }

    // MARK: Fonts

    /// From now on, text is set in fonts of these folders and of no other; with none, in those of the system again.
    package func pin(_ folders: [String]) throws(FontFolderError) {
        lock.lock()
        defer { lock.unlock() }
        guard !folders.isEmpty else { return use(nil, []) }
        let new = FcConfigCreate()
        _ = FcConfigParseAndLoadFromMemory(new, TextEngine.pinnedRules, 0)
        for folder in folders {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                FcConfigDestroy(new)
                throw FontFolderError(folder: folder, problem: "no such folder")
            }
            _ = FcConfigAppFontAddDir(new, folder)
        }
        let found = TextEngine.families(in: new)
        guard !found.isEmpty else {
            FcConfigDestroy(new)
            throw FontFolderError(folder: folders.joined(separator: ", "), problem: "holds no font")
        }
        use(new, folders)
    }

    /// Where what is read of the files is kept, as for the system's fonts; and fonts that are bitmaps (emoji) are scaled to the
    /// size that is asked for.
    private static let pinnedRules = """
        <fontconfig><cachedir prefix="xdg">fontconfig</cachedir>
        <match target="font"><test name="outline"><bool>false</bool></test>
        <edit name="pixelsizefixupfactor" mode="assign"><divide>
        <name target="pattern">pixelsize</name><name target="font">pixelsize</name></divide></edit>
        <edit name="matrix" mode="assign"><times><name>matrix</name><matrix>
        <name>pixelsizefixupfactor</name><double>0</double><double>0</double><name>pixelsizefixupfactor</name>
        </matrix></times></edit>
        <edit name="size" mode="assign"><divide><name>size</name><name>pixelsizefixupfactor</name></divide></edit>
        </match></fontconfig>
        """

    /// Adds one font file to those there are.
    package func add(file: String) -> Bool {
        lock.withLock {
            let config = self.config ?? FcInitLoadConfigAndFonts()
            guard let config, FcConfigAppFontAddFile(config, file) != 0 else { return false }
            use(config, pinned)
            return true
        }
    }

    /// Grows when other fonts are used from then on.
    package var generation: Int { lock.withLock { changes } }

    /// The families that text is set in, sorted.
    package var families: [String] {
        lock.withLock {
            if config == nil { config = FcInitLoadConfigAndFonts() }
            return TextEngine.families(in: config)
        }
    }

    private func use(_ new: OpaquePointer?, _ folders: [String]) {
        if let context { g_object_unref(UnsafeMutableRawPointer(context)) }
        (context, known, pinned) = (nil, [:], folders)
        changes += 1
        if let config, config != new { FcConfigDestroy(config) }
        config = new
    }

    private static func families(in config: OpaquePointer?) -> [String] {
        guard let config, let pattern = FcPatternCreate(), let objects = FcObjectSetCreate() else { return [] }
        defer {
            FcPatternDestroy(pattern)
            FcObjectSetDestroy(objects)
        }
        _ = FcObjectSetAdd(objects, "family")
        guard let list = FcFontList(config, pattern, objects) else { return [] }
        defer { FcFontSetDestroy(list) }
        var names: Set<String> = []
        for index in 0..<Int(list.pointee.nfont) {
            var name: UnsafeMutablePointer<UInt8>?
            if FcPatternGetString(list.pointee.fonts[index], "family", 0, &name) == 0, let name {
                names.insert(String(cString: name))
            }
        }
        return names.sorted()
    }

    private func makeContext() -> OpaquePointer? {
        if config == nil { config = FcInitLoadConfigAndFonts() }
        guard let map = pango_cairo_font_map_new_for_font_type(Int32(CAIRO_FONT_TYPE_FT.rawValue)) else {
            return nil
        }
        defer { g_object_unref(UnsafeMutableRawPointer(map)) }
        pango_fc_font_map_set_config(map, config)
        pango_cairo_font_map_set_resolution(map, 72)
        guard let context = pango_font_map_create_context(map) else { return nil }
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
        // Not the machine's: text must not be set otherwise where the locale is another.
        pango_context_set_language(context, pango_language_from_string("en"))
        return context
    }

    // MARK: Descriptions

    /// To be freed by the caller.
    static func describe(_ name: FontName, size: Double) -> OpaquePointer {
        let description = pango_font_description_new()!
        pango_font_description_set_family(description, name.families)
        pango_font_description_set_absolute_size(description, size * 1024)
        pango_font_description_set_weight(description, name.weight)
        pango_font_description_set_style(description, name.isItalic ? 2 : 0)
        pango_font_description_set_stretch(description, name.stretch)
        return description
    }

    func metrics(of name: FontName, size: Double) -> Metrics {
        let nothing = Metrics(
            family: "", ascent: 0, descent: 0, underlinePosition: 0, underlineThickness: 0, strikethroughPosition: 0,
            strikethroughThickness: 0)
        let key = MetricsKey(name: name, size: size)
        let found = withContext { context -> Metrics in
            if let known = known[key] { return known }
            let description = TextEngine.describe(name, size: size)
            defer { pango_font_description_free(description) }
            guard let font = pango_context_load_font(context, description) else { return nothing }
            defer { g_object_unref(UnsafeMutableRawPointer(font)) }
            let metrics = TextEngine.metrics(of: font)
            if known.count > 1_000 { known.removeAll() }
            known[key] = metrics
            return metrics
        }
        return found ?? nothing
    }

    /// Called with the lock held.
    static func metrics(of font: OpaquePointer) -> Metrics {
        let metrics = pango_font_get_metrics(font, nil)
        defer { pango_font_metrics_unref(metrics) }
        let described = pango_font_describe(font)
        defer { pango_font_description_free(described) }
        func points(_ units: Int32) -> Double { Double(units) / 1024 }
        return Metrics(
            family: pango_font_description_get_family(described).map { String(cString: $0) } ?? "",
            ascent: points(pango_font_metrics_get_ascent(metrics)),
            descent: points(pango_font_metrics_get_descent(metrics)),
            underlinePosition: points(pango_font_metrics_get_underline_position(metrics)),
            underlineThickness: points(pango_font_metrics_get_underline_thickness(metrics)),
            strikethroughPosition: points(pango_font_metrics_get_strikethrough_position(metrics)),
            strikethroughThickness: points(pango_font_metrics_get_strikethrough_thickness(metrics)))
    }
}

/// Adds fonts of the app's own to those of the process.
public func CTFontManagerRegisterFontsForURL(_ url: URL, _ scope: CTFontManagerScope, _ error: Any?) -> Bool {
    url.isFileURL && TextEngine.shared.add(file: url.path)
}

/// For how long fonts are added. Without effect: they are there as long as the process.
public enum CTFontManagerScope: UInt32, Sendable {
    case none = 0
    case process = 1
    case persistent = 2
    case session = 3
}
