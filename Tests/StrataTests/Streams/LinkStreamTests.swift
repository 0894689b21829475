import Foundation
import Strata
import TestSupport
import Testing

/// Streams through the combinators: each passes them on, or has a rule for them.
@Suite("Streams through combinators", .timeLimit(.minutes(5)), .endsInTime)
struct LinkStreamTests {
  private let value = noise(700_000)
  private let parts = PartStorage()

  @Test(
    "what passes values on passes parts on", arguments: ["mapKeys", "serial", "recover", "obscured", "sync"])
  func passedOn(link: String) async throws {
    func check(_ store: some StorageAware<String, Data>, _ inner: String) async throws {
      try await store.write(forKey: "a", expiry: .seconds(90), from: PartSequence(value))
      #expect(parts.counts.appended == 10)
      #expect(parts.stored(inner) == value)
      let opened = parts.counts.opened
      let bytes = try await store.read(forKey: "a", range: 3..<600_000)
      #expect(try await bytes.data() == value[3..<600_000])
      #expect(bytes.expiry != .never)
      #expect(parts.counts.opened == opened + 1)
      await #expect(throws: Failure.first) {
        try await store.write(forKey: "a", from: PartSequence(value, at: value.count) { throw Failure.first })
      }
      #expect(try await store.object(forKey: "a") == value)
      #expect(parts.counts.discarded == 1)
    }
    switch link {
    case "mapKeys":
      try await check(
        parts.mapKeys(to: String.self, mapTo: { String($0.dropFirst()) }, mapFrom: { "x" + $0 }), "xa")
    case "serial": try await check(parts.serial(), "a")
    case "recover": try await check(parts.recover(with: { error in throw error }), "a")
    case "obscured": try await check(parts.obscureWrappedStorages(), "a")
    default: try await check(AsyncStorage(back: parts, transformer: .data), "a")
    }
  }

  @Test("a recovered value is streamed, and not stored")
  func recovered() async throws {
    let store = parts.defaulting(to: Data("default".utf8))
    #expect(try await store.stream("a", 1..<3, [])?.data() == Data("ef".utf8))
    #expect(parts.stored("a") == nil)
  }

  @Test("a pushing store writes both stores, the other one first")
  func pushing() async throws {
    let other = PartStorage()
    let store = parts.pushing(to: other)
    try await store.write(forKey: "a", from: PartSequence(value))
    #expect(parts.stored("a") == value)
    #expect(other.stored("a") == value)
    other.limit(100_000)
    await #expect(throws: StorageError.tooLarge) {
      try await store.write(forKey: "a", from: PartSequence(value))
    }
    #expect(parts.stored("a") == value)
    #expect(parts.counts.discarded == 1)
  }

  @Test("an authoritative front takes what is streamed")
  func backed() async throws {
    let source = PartStorage()
    try await source.write(forKey: "a", from: PartSequence(value))
    let store = parts.backed(by: source)
    #expect(try await store.read(forKey: "a").data() == value)
    #expect(parts.stored("a") == value)
    try await store.write(forKey: "b", from: PartSequence(value))
    #expect(parts.stored("b") == value)
    #expect(source.stored("b") == nil)
  }

  @Test("mapped values are mapped as a whole")
  func mapped() async throws {
    let store = parts.mapValues(
      to: Data.self, mapTo: { Data($0.reversed()) }, mapFrom: { Data($0.reversed()) })
    try await store.write(forKey: "a", from: PartSequence(value))
    #expect(parts.stored("a") == Data(value.reversed()))
    #expect(try await store.read(forKey: "a", range: 0..<4).data() == value.prefix(4))
  }

  @Test("files are imported and exported; a file that cannot be read or written is named")
  func files() async throws {
    let folder = TemporaryFolder().url
    let (source, target) = (folder.appending(path: "source"), folder.appending(path: "target"))
    try value.write(to: source)
    try await parts.importFile(source, forKey: "a", expiry: .seconds(50))
    #expect(try await parts.entry(forKey: "a").expiry != .never)
    try Data("old".utf8).write(to: target)
    try await parts.exportFile(forKey: "a", to: target)
    #expect(try Data(contentsOf: target) == value)
    #expect(try await parts.fileURL(forKey: "a") == nil)
    let missing = folder.appending(path: "missing")
    let error = await #expect(throws: StorageError.self) { try await parts.importFile(missing, forKey: "a") }
    #expect(error?.place?.hasSuffix("missing") == true)
    let nowhere = missing.appending(path: "target")
    let refusal = await #expect(throws: StorageError.self) {
      try await parts.exportFile(forKey: "a", to: nowhere)
    }
    #expect(refusal?.place == nowhere.path)
    await #expect(throws: StorageError.notFound) { try await parts.exportFile(forKey: "b", to: target) }
    parts.failReads(after: 3)
    await #expect(throws: Failure.first) { try await parts.exportFile(forKey: "a", to: target) }
    #expect(try Data(contentsOf: target) == value)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["source", "target"])
  }

  @Test("an exported file may have the longest name that a file can have")
  func longName() async throws {
    let folder = TemporaryFolder()
    let target = folder.url.appending(path: String(repeating: "n", count: 255))
    try await parts.write(forKey: "a", from: PartSequence(value))
    try await parts.exportFile(forKey: "a", to: target)
    #expect(try Data(contentsOf: target) == value)
  }

  @Test("a FIFO is not imported, and not waited for")
  func fifo() async throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "fifo")
    try #require(mkfifo(url.path, 0o600) == 0)
    let parts = parts
    let ended = Count()
    let importing = Task {
      defer { ended.add() }
      try await parts.importFile(url, forKey: "a")
    }
    await until { ended.value == 1 }
    // Ends the import, should it wait.
    let end = open(url.path, O_RDWR | O_NONBLOCK)
    await #expect(throws: StorageError.backendFailed) { try await importing.value }
    close(end)
    #expect(parts.stored("a") == nil)
  }

  @Test("single bytes are grouped to parts")
  func bytes() async throws {
    let bytes = AsyncStream<UInt8> { continuation in
      for byte in value { continuation.yield(byte) }
      continuation.finish()
    }
    try await parts.write(forKey: "a", from: bytes)
    #expect(parts.stored("a") == value)
    #expect(parts.counts.appended == 1)
  }
}
