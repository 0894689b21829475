import BenchTraces
import Foundation
import Testing

struct TraceReadingTests {
  /// Runs `body` with a file of the given bytes.
  func withFile<R>(_ name: String, _ data: Data, _ body: (String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: name)
    try data.write(to: file)
    let result = Result { try body(file.path) }
    try FileManager.default.removeItem(at: folder)
    return try result.get()
  }

  func read(_ text: String, hasCosts: Bool = false) throws -> Trace {
    try withFile("my.trace.txt", Data(text.utf8)) { try Trace(path: $0, hasCosts: hasCosts) }
  }

  @Test func `each line is a key, in any script`() throws {
    let trace = try read("b\na b\n\nb\r\nключ\n  b  \nключ")
    #expect(trace.requests == [0, 1, 0, 2, 0, 2])
    #expect(trace.uniqueCount == 3)
    #expect(trace.costs == nil)
    #expect(trace.name == "my")
  }

  @Test func `the last word is the cost if costs are requested`() throws {
    let trace = try read("a b 10\na b\t20\nc 0\n", hasCosts: true)
    #expect(trace.requests == [0, 0, 1])
    #expect(trace.costs == [10, 20, 0])
    #expect(trace.totalCost == 20)
  }

  @Test(arguments: ["a 1\nb\n", "a 1\nb -1\n", "a 1\nb x\n", "a 1\nb 1.5\n"])
  func `the error for a missing cost names the line`(_ text: String) {
    let error = #expect(throws: TraceError.self) { try read(text, hasCosts: true) }
    #expect(error?.description.contains("line 2") == true)
  }

  @Test func `lines may be longer than the read buffer`() throws {
    let long = String(repeating: "x", count: 200_000)
    let trace = try read("\(long)\na\n\(long)\n")
    #expect(trace.requests == [0, 1, 0])
  }

  @Test(arguments: ["", "\n\n"]) func `a trace without requests is an error`(_ text: String) {
    let error = #expect(throws: TraceError.self) { try read(text) }
    #expect(error?.description.contains("one key per line") == true)
  }

  @Test func `a missing file is an error`() {
    let error = #expect(throws: TraceError.self) { try Trace(path: "/nowhere/at/all") }
    #expect(error?.description.contains("/nowhere/at/all") == true)
  }

  /// "a\nb\na\n", compressed by gzip.
  static let compressed = Data([
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x4b, 0xe4, 0x4a, 0xe2, 0x4a, 0xe4, 0x02,
    0x00,
    0x5b, 0x6c, 0x51, 0x38, 0x06, 0x00, 0x00, 0x00,
  ])

  @Test func `gzip is decompressed`() throws {
    let trace = try withFile("t.txt.gz", Self.compressed) { try Trace(path: $0) }
    #expect(trace.requests == [0, 1, 0])
  }

  @Test func `truncated gzip is an error`() throws {
    let error = #expect(throws: TraceError.self) {
      try withFile("t.txt.gz", Self.compressed.dropLast(9)) { try Trace(path: $0) }
    }
    #expect(error?.description.contains("damaged") == true)
  }
}
