import Foundation
import Testing

// The pages are checked against the folder they describe: a path that a page names exists, and so does what a link
// points to. Words are not checked.

@Suite("Pages for people")
struct DocumentationTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ page: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(page), encoding: .utf8)
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: package.appendingPathComponent(path).path)
    }

    /// README, CONTRIBUTING and everything in docs/ and its folders, from the top of the repository.
    private static func pages() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: package.appendingPathComponent("docs").path)
        return ["README.md", "CONTRIBUTING.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }

    /// A page an effect.
    private static func effectPages() throws -> [String] {
        try pages().filter { $0.hasPrefix("docs/effects/") }
    }

    /// What stands between single backquotes, outside of fenced code.
    private static func codeSpans(_ text: String) -> [String] {
        var isFenced = false
        var spans: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isFenced.toggle()
                continue
            }
            if isFenced { continue }
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            spans += parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
        }
        return spans
    }

    /// The targets of Markdown links and images, without what is on the web or on the same page.
    private static func links(_ text: String) -> [String] {
        text.matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.output.1) }
            .filter { !$0.hasPrefix("http") && !$0.hasPrefix("#") }
    }

    private static var fileEnding: Regex<(Substring, Substring)> { #/\.(swift|md|c|h|frag|vert|sh)$/# }

    @Test("docs/how-a-frame-works.md names only files that exist")
    func frame() throws {
        let spans = try Self.codeSpans(Self.text("docs/how-a-frame-works.md"))
        let paths = spans.filter { $0.contains("/") && $0.contains(Self.fileEnding) }
        #expect(paths.count > 30, "the page names too few files for this test to see them")
        for path in paths {
            #expect(Self.exists(path) || Self.exists("Sources/\(path)"), "no file \(path) here or in Sources/")
        }
    }

    @Test("A file that a page names without its folder is one of ours")
    func bareNames() throws {
        let walk = FileManager.default.enumerator(atPath: Self.package.appendingPathComponent("Sources").path)
        var names: Set<String> = []
        while let path = walk?.nextObject() as? String { names.insert(String(path.split(separator: "/").last ?? "")) }
        for page in ["docs/how-a-frame-works.md", "docs/layer-order.md", "docs/coordinate-spaces.md"] {
            let bare = try Self.codeSpans(Self.text(page)).filter { !$0.contains("/") && $0.hasSuffix(".swift") }
            for name in bare { #expect(names.contains(name), "\(page) names \(name)") }
        }
    }

    @Test("Pages beside it name only sources that exist")
    func otherPages() throws {
        let pages = [
            "CONTRIBUTING.md", "docs/layer-order.md", "docs/coordinate-spaces.md", "docs/testing.md", "docs/effects.md",
        ]
        for page in try pages + Self.effectPages() {
            let paths = try Self.codeSpans(Self.text(page)).filter {
                $0.contains("/") && $0.contains(Self.fileEnding) && !$0.contains("…") && !$0.contains("*")
            }
            for path in paths {
                #expect(Self.exists(path) || Self.exists("Sources/\(path)"), "\(page): no file \(path)")
            }
        }
    }

    @Test("Every relative link of every page points to something")
    func relativeLinks() throws {
        for page in try Self.pages() {
            let folder = page.split(separator: "/").dropLast().joined(separator: "/")
            for link in try Self.links(Self.text(page)) {
                let target = String(link.split(separator: "#")[0])
                let path = folder.isEmpty ? target : "\(folder)/\(target)"
                #expect(Self.exists(path), "\(page) links to \(link)")
            }
        }
    }

    @Test("Each page of an effect has the same six parts, and its commands name scenes that exist")
    func effects() throws {
        let pages = try Self.effectPages()
        #expect(pages.count == 11)
        let index = try Self.links(Self.text("docs/effects.md"))
        for page in pages {
            let text = try Self.text(page)
            #expect(
                text.matches(of: #/\n## (.+)/#).map { String($0.output.1) } == [
                    "Rule", "Source", "Fast road", "Slow road", "Switch", "Gaps",
                ], "\(page)")
            for scene in text.matches(of: #/Tests\/Goldens\/scenes\/[a-z-]+\.json/#) {
                #expect(Self.exists(String(scene.output)), "\(page) names \(scene.output)")
            }
            #expect(index.contains(String(page.dropFirst("docs/".count))), "docs/effects.md does not link to \(page)")
        }
    }

    @Test("README names the two commands, and they can be run")
    func commands() throws {
        let readme = try Self.text("README.md")
        for command in ["tools/demo", "tools/test"] {
            #expect(readme.contains(command))
            #expect(
                FileManager.default.isExecutableFile(atPath: Self.package.appendingPathComponent(command).path),
                "\(command) can't be run")
        }
    }
}
