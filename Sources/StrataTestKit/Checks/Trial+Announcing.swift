#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataAlgebra
import StrataCore

extension Trial {
  /// Reads through memory in front of the store while the store is changed: through the same store object, and through
  /// another one at the same location.
  func announcing() async throws {
    let store = try await open()
    guard let source = store.invalidationSource else { throw NotPromised() }
    try await readThroughFront(of: store, changedBy: store, "changed the store itself")
    if !subject.except.contains(.severalHandles) {
      try await readThroughFront(of: store, changedBy: open(), "made a change through another store")
    }
    try await countOwnWrites(in: store, source)
  }

  private func readThroughFront(
    of back: some StorageAware<String, Data>, changedBy writer: Store, _ circumstances: String
  ) async throws {
    let chain = Front().combined(with: back)
    let changes: [(String, Data?, @Sendable () async throws -> Void)] = [
      ("setObject", text("new"), { try await writer.setObject(text("new"), forKey: "key", expiry: nil) }),
      ("setObjects", text("many"), { try await writer.setObjects(["key": text("many")], expiry: nil) }),
      ("removeObject", nil, { try await writer.removeObject(forKey: "key") }),
      ("removeObjects", nil, { try await writer.removeObjects(forKeys: ["key"]) }),
      ("removeAll", nil, { try await writer.removeAll() }),
    ]
    for (name, value, change) in changes {
      try await writer.setObject(text("old"), forKey: "key", expiry: nil)
      // If the first change was announced late, the announcement would have arrived before the one of this write.
      try await writer.setObject(text("other"), forKey: "other", expiry: nil)
      // The second read is served by the memory in front, unless the store's invalidation source is suspect at this
      // time.
      for _ in 0..<2 { try await expectSoon(text("old"), at: "key", in: chain, "setObject \(circumstances)") }
      try await change()
      try await expectSoon(value, at: "key", in: chain, "\(name) \(circumstances)")
    }
    try await readMeanwhile(chain, writer, circumstances)
  }

  /// Reads during a change. If a read returns the old value, the change must be announced after that read.
  private func readMeanwhile(
    _ chain: some StorageAware<String, Data>, _ writer: Store, _ circumstances: String
  ) async throws {
    let (line, isDone) = (StartLine(of: 2), Shared(false))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await line.meet()
        while !isDone.value {
          _ = try await chain.objectIfPresent(forKey: "read")
          await Task.yield()
        }
      }
      group.addTask {
        defer { isDone.change { $0 = true } }
        try await line.meet()
        for round in 0..<Effort.current.rounds(60) {
          try await writer.setObject(text("\(round)"), forKey: "read", expiry: nil)
          try await expectSoon(
            text("\(round)"), at: "read", in: chain, "setObject, during a read, \(circumstances)")
        }
      }
      try await group.waitForAll()
    }
  }

  /// Throws `BrokenPromise` unless a key has this value within some seconds.
  private func expectSoon(
    _ value: Data?, at key: String, in chain: some StorageAware<String, Data>, _ circumstances: String
  ) async throws {
    var found: Data?
    try await waitUntil {
      found = try await chain.objectIfPresent(forKey: key)
      return found == value
    }
    try expect(
      found == value,
      "\(Effort.announcementLimit) after \(circumstances), memory in front of it still gives \(shown(found)) for the key "
        + "\(shown(key)), and not \(shown(value))")
  }

  private func countOwnWrites(in store: Store, _ source: InvalidationSource<String>) async throws {
    let heard = Shared<[String: Int]>([:])
    let token = source.listen { announcement in
      if case .changed(let keys) = announcement {
        heard.change { heard in for key in keys { heard[key, default: 0] += 1 } }
      }
    }
    defer { token.cancel() }
    let writes = 20
    for key in Array(repeating: "own", count: writes) + ["last"] {
      _ = try await store.objectIfPresent(forKey: key)
      try await store.setObject(text("value"), forKey: key, expiry: nil)
    }
    // Announcements may arrive in any order, but announcements of earlier writes are expected before this one.
    try await waitUntil { heard.value["last"] != nil }
    let count = heard.value["own"] ?? 0
    try expect(count <= writes, "\(writes) writes of one key are announced \(count) times")
  }
}

/// Memory in front that never evicts an entry.
private final class Front: SyncSimpleStorage {
  private let entries = Shared<[String: Entry<Data>]>([:])

  let mayBlock = false
  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { entries.value[key] }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    let entry = Entry(object: object, expiry: (expiry ?? .never).resolved(by: clock))
    entries.change { $0[key] = entry }
  }
  func removeObject(forKey key: String) throws { entries.change { $0[key] = nil } }
  func removeAll() throws { entries.change { $0 = [:] } }
  func removeExpiredObjects() throws {
    entries.change { [clock] in $0 = $0.filter { !$0.value.expiry.isExpired(by: clock) } }
  }
  func keys() throws -> [String] { Array(entries.value.keys) }
}
