import Strata
import Testing

@Suite("Changes of a key", .timeLimit(.minutes(10))) struct KeyChangesTests {
  @Test(
    "each change of the key is reported in order, with the values before and after; changes of other keys are not"
  )
  func changes() async throws {
    let storage = try Chains(.disk).open(Int.self)
    try await storage.setObject(0, forKey: "a")
    let (ofStorage, ofAsync) = (storage.changes(forKey: "a"), storage.async.changes(forKey: "a"))
    try await storage.setObject(1, forKey: "a")
    try await storage.setObject(1, forKey: "b")
    try await storage.update(forKey: "a") { $0 += 1 }
    try await storage.transform(to: String.self).setObject("two", forKey: "a")
    try await storage.removeAll()
    for stream in [ofStorage, ofAsync] {
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == .edit(before: 0, after: 1))
      #expect(await iterator.next() == .edit(before: 1, after: 2))
      #expect(await iterator.next() == .remove, "of another type")
      #expect(await iterator.next() == .remove)
    }
  }

  @Test("the sequence ends when its task is cancelled, when observations are ended, and with the store")
  func ends() async throws {
    var storage: Storage<String, Int>? = try Chains(.memoryOnly).open(Int.self)
    let cancelled = try #require(storage?.changes(forKey: "a"))
    let reader = Task { for await _ in cancelled {} }
    reader.cancel()
    await reader.value
    let removed = try #require(storage?.changes(forKey: "a"))
    storage?.removeObserver(forKey: "a")
    for await _ in removed {}
    let last = try #require(storage?.changes(forKey: "a"))
    storage = nil
    for await _ in last {}
  }

  @Test("a slow reader loses the oldest changes")
  func bounded() async throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    let changes = storage.changes(forKey: "a")
    for value in 1...2000 { try await storage.setObject(value, forKey: "a") }
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == .edit(before: 2000 - 1024, after: 2000 - 1023))
  }
}
