import Testing

@Suite("bench soak")
struct SoakCommandTests {
    @Test("Sessions of changing effects come and go, and what is held ends where it began")
    func soak() throws {
        let run = try CommandRun.run("bench", "soak", "--minutes", "0.03", "--json")
        #expect(run.code == 0, "\(run.text) \(run.errors)")
        let line = try #require(try run.lines.first)
        #expect(line["holds"] as? Bool == true)
        #expect((line["frames"] as? Int ?? 0) > 0)
        let rows = try #require(line["rows"] as? [[String: Any]])
        let names = rows.compactMap { $0["name"] as? String }
        for name in ["descriptors", "images", "targets", "kept surfaces", "coverage pages", "resident bytes"] {
            #expect(names.contains(name))
        }
    }
}
