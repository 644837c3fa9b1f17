import CAML
import Foundation
import Glibc
import Testing

@Suite("Names of files in a bundle")
struct BundlePathTests {
    private func fault(_ reference: String, from folder: BundlePath = .top) -> BundlePath.Fault? {
        do throws(BundlePath.Fault) {
            _ = try BundlePath.candidates(reference, from: folder)
            return nil
        } catch {
            return error
        }
    }

    @Test("A reference starts at the folder of the file that holds it")
    func relative() throws {
        let folder = BundlePath(["x.ca"])
        #expect(try BundlePath.candidates("assets/a b.png", from: folder).map(\.description) == ["x.ca/assets/a b.png"])
        #expect(try BundlePath.candidates("./a//b/../c.png", from: folder).map(\.description) == ["x.ca/a/c.png"])
        #expect(try BundlePath.candidates("../y.png", from: folder).map(\.description) == ["y.png"])
    }

    @Test("A reference is read as it is written, then percent-decoded")
    func percent() throws {
        #expect(try BundlePath.candidates("a%20b.png", from: .top).map(\.description) == ["a%20b.png", "a b.png"])
        #expect(try BundlePath.candidates("100%.png", from: .top).map(\.description) == ["100%.png"])
    }

    @Test(
        "No reference leaves the bundle, in whatever disguise",
        arguments: [
            ("../a.png", BundlePath.Fault.leavesBundle), ("a/../../b", .leavesBundle), ("%2e%2e/a.png", .leavesBundle),
            ("..%2Fa.png", .leavesBundle), ("/etc/passwd", .absolute), ("%2Fetc/passwd", .absolute),
            ("\\\\host\\a", .absolute), ("file:///etc/passwd", .address), ("http://x/a.png", .address),
            ("C:\\a.png", .address),
            ("", .empty), (".", .empty), ("a/..", .empty), ("a\0b", .notAName), ("a%00b", .notAName),
        ])
    func escapes(reference: String, expected: BundlePath.Fault) {
        #expect(fault(reference) == expected)
    }

    @Test("A root document can't climb out of its own bundle")
    func ownRoot() {
        let folder = BundlePath(["x.ca"])
        #expect(throws: BundlePath.Fault.leavesBundle) {
            try BundlePath.candidates("../other.ca/main.caml", from: folder, root: folder)
        }
    }
}

@Suite("Files of a folder")
struct FolderFilesTests {
    @Test("A link is followed inside the folder and refused outside; a pipe is no file")
    func links() throws {
        try SceneTestInputs.withFolder(["in/a.txt": "inside", "out.txt": "outside"]) { path in
            let inner = path + "/in"
            symlink("a.txt", inner + "/good")
            symlink("../out.txt", inner + "/bad")
            symlink(path, inner + "/up")
            mkfifo(inner + "/pipe", 0o600)
            let files = try FolderFiles(path: inner, name: "in", entryLimit: 100)
            #expect(try files.bytes(of: BundlePath(["good"]), limit: 10) == Array("inside".utf8))
            #expect(throws: FileFault.leavesBundle) { try files.bytes(of: BundlePath(["bad"]), limit: 10) }
            #expect(throws: FileFault.leavesBundle) { try files.bytes(of: BundlePath(["up", "out.txt"]), limit: 10) }
            #expect(throws: FileFault.notAFile) { try files.bytes(of: BundlePath(["pipe"]), limit: 10) }
            #expect(throws: FileFault.missing) { try files.bytes(of: BundlePath(["none"]), limit: 10) }
            #expect(throws: FileFault.tooLarge(limit: 3)) { try files.bytes(of: BundlePath(["a.txt"]), limit: 3) }
            #expect(!files.contains(BundlePath(["bad"])) && !files.contains(BundlePath(["pipe"])))
            #expect(try files.paths().map(\.description) == ["a.txt"])
        }
    }

    @Test("A folder of more files than the limit is refused")
    func many() throws {
        try SceneTestInputs.withFolder(["a": "", "b": "", "c": ""]) { path in
            let files = try FolderFiles(path: path, name: "folder", entryLimit: 2)
            #expect(throws: SceneError.self) { try files.paths() }
        }
    }
}

@Suite("Zip archives")
struct ZipArchiveTests {
    private func message(_ writer: ZipWriter, limits: SceneLimits = SceneLimits()) -> String {
        sceneError { try ZipArchive(writer.finished(), name: "z", limits: limits) }
    }

    @Test("Entries are read by their paths")
    func reading() throws {
        var writer = ZipWriter()
        writer.add("b/c.txt", String(repeating: "hello ", count: 20_000))
        writer.add("./a.txt", "first")
        writer.add("a.txt", "second")
        writer.add("d/", [])
        let archive = try ZipArchive(writer.finished(), name: "z", limits: SceneLimits())
        #expect(archive.paths().map(\.description) == ["a.txt", "b/c.txt"])
        #expect(try archive.bytes(of: BundlePath(["a.txt"]), limit: 10) == Array("first".utf8))
        #expect(try archive.bytes(of: BundlePath(["b", "c.txt"]), limit: 1 << 20).count == 120_000)
        #expect(throws: FileFault.tooLarge(limit: 10)) { try archive.bytes(of: BundlePath(["b", "c.txt"]), limit: 10) }
        #expect(throws: FileFault.missing) { try archive.bytes(of: BundlePath(["d"]), limit: 10) }
    }

    @Test(
        "An entry that names a file outside is refused with the archive",
        arguments: [
            "../x", "a/../../x", "/etc/x", "..\\x", "\\x",
        ])
    func slip(name: String) {
        var writer = ZipWriter()
        writer.add(name, "x")
        #expect(message(writer) == "0:0 entry \"\(name)\" names a file outside the archive")
    }

    @Test("A bomb is refused by its directory, before a byte is inflated")
    func bombs() {
        var writer = ZipWriter()
        writer.add("a", [], declaredSize: 300 << 20)
        #expect(message(writer).hasPrefix("0:0 entry \"a\" would inflate to 314572800 bytes"))
        writer = ZipWriter()
        for index in 0..<6 { writer.add("a\(index)", [], declaredSize: 200 << 20) }
        #expect(message(writer).hasPrefix("0:0 entry \"a5\" would inflate"))
        writer = ZipWriter()
        for index in 0..<5 { writer.add("a\(index)", []) }
        var limits = SceneLimits()
        limits.entries = 4
        #expect(message(writer, limits: limits) == "0:0 5 entries; the limit is 4")
    }

    @Test("A stream that is longer or shorter than its entry says is refused", arguments: [4, 6, 1000])
    func lies(declared: Int) throws {
        var writer = ZipWriter()
        writer.add("a", Array("hello".utf8), declaredSize: UInt32(declared))
        let archive = try ZipArchive(writer.finished(), name: "z", limits: SceneLimits())
        #expect(throws: FileFault.self) { try archive.bytes(of: BundlePath(["a"]), limit: 1 << 20) }
    }

    @Test("Encrypted entries, links and damaged archives are refused")
    func others() throws {
        var writer = ZipWriter()
        writer.add("a", Array("hello".utf8), flags: 1)
        #expect(message(writer).hasPrefix("0:0 entry \"a\" is encrypted"))
        writer = ZipWriter()
        writer.add("a", Array("/etc/passwd".utf8), mode: 0o120777)
        let archive = try ZipArchive(writer.finished(), name: "z", limits: SceneLimits())
        #expect(throws: FileFault.notAFile) { try archive.bytes(of: BundlePath(["a"]), limit: 100) }
        writer = ZipWriter()
        writer.add("a", "hello")
        let cut = sceneError { try ZipArchive(Array(writer.finished().dropLast(30)), name: "z", limits: SceneLimits()) }
        #expect(cut.hasPrefix("0:0 not a readable zip archive"))
    }
}

@Suite("Property lists")
struct PropertyListTests {
    private func message(_ bytes: [UInt8]) -> String {
        sceneError { try PropertyListFile(bytes, file: "p", limits: SceneLimits()) }
    }

    /// A binary property list from its objects' bytes; references are of one byte.
    private func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(objects.count), top, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        return bytes
    }

    @Test("Values are read from XML and from binary lists")
    func reading() throws {
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>documentWidth</key><real>390</real>
            <key>documentHeight</key><integer>844</integer><key>geometryFlipped</key><true/></dict></plist>
            """
        let index = try BundleIndex(try PropertyListFile(Array(xml.utf8), file: "index.xml", limits: SceneLimits()))
        #expect(index.documentSize == CGSize(width: 390, height: 844))
        #expect(index.isGeometryFlipped && index.rootDocument == "main.caml")
        let list = binary([[0xD1, 1, 2], [0x51, UInt8(ascii: "a")], [0x10, 5]])
        #expect(try PropertyListFile(list, file: "p", limits: SceneLimits()).number("a") == 5)
    }

    @Test(
        "Wrong types and sizes are errors at their key",
        arguments: [
            ("<key>geometryFlipped</key><string>yes</string>", "2:1 geometryFlipped is not true or false"),
            ("<key>rootDocument</key><true/>", "2:1 rootDocument is not a string"),
            ("<key>documentWidth</key><array/>", "2:1 documentWidth is not a number"),
            ("<key>documentWidth</key><real>nan</real>", "2:1 documentWidth is not a length above 0"),
            ("<key>documentHeight</key><real>-1</real>", "2:1 documentHeight is not a length above 0"),
        ])
    func wrongTypes(entry: String, expected: String) {
        let xml = "<plist version=\"1.0\"><dict>\n\(entry)</dict></plist>"
        #expect(
            sceneError { try BundleIndex(PropertyListFile(Array(xml.utf8), file: "p", limits: SceneLimits())) }
                == expected)
    }

    @Test("What is no property list is said to be none")
    func noList() {
        #expect(message(Array("<caml/>".utf8)) == "1:1 <caml> is not a property list; <plist> is expected")
        #expect(message(Array("<plist><array/></plist>".utf8)) == "1:1 not a property list with a dictionary")
        let entities = "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>"
        #expect(message(Array(entities.utf8)).hasPrefix("1:17 declarations inside the document type"))
        let deep = "<plist>" + String(repeating: "<array>", count: 10_000)
        #expect(message(Array(deep.utf8)).hasSuffix("nested deeper than 256"))
    }

    @Test("A binary list of a few bytes that stands for a billion values, or contains itself, is refused at once")
    func bombs() {
        var objects = (1...9).map { level in [0xAA] + [UInt8](repeating: UInt8(level), count: 10) }
        objects.append([0x10, 5])
        #expect(message(binary(objects)) == "0:0 is a property list of too many or too deeply nested values")
        #expect(message(binary([[0xA1, 0]])) == "0:0 is a property list that contains itself")
        #expect(message(binary([[0xA1, 1], [0xA1, 0]])) == "0:0 is a property list that contains itself")
        #expect(message(binary([[0x80, 1]])) == "0:0 is a keyed archive, not a plain property list")
        let damaged: [[UInt8]] = [
            [0xA1, 9], [0xAF, 0x13] + [UInt8](repeating: 255, count: 8), [0xAF, 0x10, 200], [0xD1, 0],
        ]
        for object in damaged {
            #expect(message(binary([object])).contains("property list"), "\(object)")
        }
        for length in 0..<50 {
            #expect(message(Array(binary([[0x08]]).prefix(length))) != "no error")
        }
    }
}
