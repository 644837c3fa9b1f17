import Foundation
import Testing

@Suite("Usage")
struct UsageTests {
    static let verbs = [
        "render", "plan", "explain", "convert", "lint", "serve", "doctor", "compare", "record", "replay", "dump",
        "bench", "version",
    ]

    @Test("Every verb has a help on stdout, with a usage line and examples", arguments: verbs)
    func help(verb: String) throws {
        for words in [[verb, "--help"], ["help", verb], [verb, "--nonsense", "-h"]] {
            let run = try CommandRun.run(words)
            #expect(run.code == 0)
            #expect(run.errors.isEmpty)
            #expect(run.text.contains("Usage: rostrum \(verb)"))
            #expect(run.text.contains("Examples:\n  "))
        }
    }

    @Test("The overview names every verb", arguments: [["--help"], ["-h"], ["help"]])
    func overview(words: [String]) throws {
        let run = try CommandRun.run(words)
        #expect(run.code == 0)
        for verb in Self.verbs { #expect(run.text.contains("\n  \(verb) "), "\(run.text)") }
    }

    @Test("Without a verb the overview goes to stderr, and the code is 2")
    func nothing() throws {
        let run = try CommandRun.run()
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Verbs:"))
    }

    @Test(
        "A line that is not right ends with 2, says nothing on stdout, and helps",
        arguments: [
            (["rendr", "x"], "there is no verb \"rendr\"", "did you mean rostrum render?"),
            (["frobnicate"], "there is no verb \"frobnicate\"", "all verbs: rostrum --help"),
            (["render", "x", "--ouput", "y"], "render has no flag --ouput", "did you mean --output?"),
            (["render", "x", "-z"], "render has no flag -z", "all flags: rostrum render --help"),
            (["render", "x"], "render needs -o FILE", "rostrum render --help"),
            (["render", "-o", "y.png"], "render needs SCENE", "rostrum render SCENE"),
            (["render", "a", "b", "-o", "y.png"], "\"b\"", "rostrum render SCENE"),
            (["render", "x", "-o"], "-o needs a value", "rostrum render --help"),
            (["render", "x", "-o", "--json"], "-o needs a value", "rostrum render --help"),
            (["render", "x", "-o", "a", "--output", "b"], "--output is given twice", "rostrum render --help"),
            (["render", "x", "-o", "y.png", "--scale", "two"], "--scale must be a number, not \"two\"", "--help"),
            (["render", "x", "-o", "y.png", "--scale=0"], "--scale must be above 0", "--help"),
            (["render", "x", "-o", "y.png", "--scale", "nan"], "--scale must be a number", "--help"),
            (["render", "x", "-o", "y.png", "--time", "-1"], "--time must be 0 or more", "--help"),
            (["render", "x", "-o", "y.png", "--size", "320"], "--size must be a width and a height", "--help"),
            (["render", "x", "-o", "y.png", "--size", "0x10"], "--size must be a width and a height", "--help"),
            (["render", "x", "-o", "y.png", "--background", "#12345"], "--background must be #rrggbb", "--help"),
            (["render", "x", "-o", "y.png", "--background", "1,2,3"], "--background must be #rrggbb", "--help"),
            (["render", "x", "-o", "y.png", "--strict=yes"], "--strict takes no value", "--help"),
            (["render", "x", "-o", "y.png", "--device", "gpu"], "--device must be auto", "--help"),
            (
                ["render", "x", "-o", "y.png", "--disable", "poling"], "\"poling\", which is no switch",
                "did you mean pooling?"
            ),
            (["render", "x", "-o", "y.png", "--sync-passes"], "--sync-passes is about --timings", "--timings FILE"),
            (["render", "x", "-o", "-", "--json"], "want stdout", "a file"),
            (
                ["render", "x", "-o", "y", "--server", "s", "--device", "auto"], "--server that another one does",
                "rostrum serve"
            ),
            (
                ["render", "x", "-o", "y.png", "--budget", "pases=3"], "\"pases\", which is no measure",
                "did you mean passes?"
            ),
            (["render", "x", "-o", "y.png", "--budget", "passes"], "--budget must be name=number", "--help"),
            (["render", "x", "-o", "y.png", "--budget", "passes=1,passes=2"], "names passes twice", "--help"),
            (["render", "x", "-o", "y.png", "--overlay", "yellow"], "--overlay must be offscreen", "--help"),
            (
                ["render", "x", "-o", "y", "--server", "s", "--overlay", "blended"], "--server has another one draw",
                "leave one"
            ),
            (["explain"], "explain needs SCENE", "rostrum explain SCENE…"),
            (["explain", "x", "--overlay", "blended"], "--overlay colors the picture of --output", "-o FILE"),
            (["explain", "-", "-"], "stdin, which can be read once", "files"),
            (["plan", "x", "--lines", "0"], "--lines must be a whole number", "--help"),
            (["serve"], "serve needs --socket PATH", "--help"),
            (["serve", "--socket", "s", "--log-format", "xml"], "--log-format must be text or json", "--help"),
            (["serve", "--socket", "s", "--max-clients", "0"], "--max-clients must be a whole number", "--help"),
            (["serve", "--socket", String(repeating: "x", count: 200)], "--socket is 200 bytes long", "--help"),
            (["compare", "a"], "compare needs B", "rostrum compare A B"),
            (["compare", "a", "b", "--tolerance", "256"], "--tolerance must be a whole number, 0 to 255", "--help"),
        ])
    func wrong(words: [String], message: String, help: String) throws {
        let run = try CommandRun.run(words)
        #expect(run.code == 2, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("error: "))
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.contains("\nhelp: "))
        #expect(run.errors.contains(help), "\(run.errors)")
    }

    @Test("version says the same to people and to machines")
    func version() throws {
        let people = try CommandRun.run("version")
        let machines = try CommandRun.run("version", "--json")
        let version = try #require(try machines.lines.first?["version"] as? String)
        #expect(people.text.hasPrefix("rostrum \(version) "))
        #expect(try CommandRun.run("--version").text == people.text)
    }

    @Test("The page on the command line names every verb and every flag")
    func documentation() throws {
        let page = try String(contentsOfFile: CommandRun.root + "/docs/command-line.md", encoding: .utf8)
        let overview = try CommandRun.run("--help").text
        let verbs = overview.split(separator: "\n").drop { $0 != "Verbs:" }.dropFirst().prefix { !$0.hasSuffix(":") }
            .compactMap { $0.split(separator: " ").first }
        #expect(verbs.count >= Self.verbs.count)
        for verb in verbs {
            #expect(page.contains("## \(verb)\n"), "no section on \(verb)")
            let help = try CommandRun.run("help", String(verb)).text
            let flags = help.split(separator: "\n").drop { $0 != "Flags:" }.dropFirst().prefix { $0.hasPrefix("  ") }
                .flatMap { $0.split(separator: " ").prefix(2) }.filter { $0.hasPrefix("--") }
            #expect(!flags.isEmpty)
            for flag in flags where !page.contains("`\(flag)") { Issue.record("\(flag) of \(verb) is not on the page") }
        }
    }
}
