import Foundation
import LayerModel
import LayerWire
import Testing

@Suite("The fuzzer's inputs")
struct FuzzCorpusTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private func files(_ folder: String) -> [URL] {
        let url = Self.tests.appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.sorted().map { url.appendingPathComponent($0) }
    }

    @Test("Every find of the fuzzer stays fixed")
    func finds() throws {
        for file in files("FailCases/wire") {
            let bytes = try Data(contentsOf: file)
            bytes.withUnsafeBytes { fuzzDecode($0) }
        }
    }

    @Test("The corpus begins with a whole message of each kind")
    func corpus() throws {
        var found: Set<UInt16> = []
        for file in files("Fuzz/Corpus/wire") {
            let bytes = [UInt8](try Data(contentsOf: file))
            let type = try #require(MessageType(rawValue: UInt16(bytes[0])), "\(file.lastPathComponent)")
            #expect(faultOfDecoding(type, Array(bytes.dropFirst())) == nil, "\(file.lastPathComponent)")
            found.insert(type.rawValue)
        }
        #expect(found == Set(MessageType.allCases.map(\.rawValue)))
        if ProcessInfo.processInfo.environment["ROSTRUM_WRITE_CORPUS"] == "1" { try writeCorpus() }
    }

    /// Makes the corpus anew, after a change of the format: ROSTRUM_WRITE_CORPUS=1.
    private func writeCorpus() throws {
        let folder = Self.tests.appendingPathComponent("Fuzz/Corpus/wire")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for type in MessageType.allCases {
            var random = RandomMessages(seed: 11)
            let body = type.rawValue < 128 ? payload(random.clientMessage(type)) : payload(random.serverMessage(type))
            try Data([UInt8(type.rawValue)] + body).write(to: folder.appendingPathComponent("\(type)"))
        }
    }
}
