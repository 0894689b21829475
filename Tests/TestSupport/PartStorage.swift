package import Foundation
package import StrataCore

/// A store in memory that keeps values in parts, as they were appended, and counts its work.
package final class PartStorage: SimpleStorage {
  package typealias Key = String
  package typealias Value = Data

  package struct Counts: Sendable, Equatable {
    /// The number of values that were opened, and of parts that were read.
    package var opened = 0
    package var read = 0
    package var appended = 0
    package var committed = 0
    package var discarded = 0
    /// The size of the largest part that was appended.
    package var largest = 0
  }

  private struct Stored: Sendable {
    var parts: [Data]
    var expiry: Expiry
    let number: Int
  }

  private struct State {
    var entries: [String: Stored] = [:]
    var counts = Counts()
    var number = 0
    var limit = Int.max
    var readFailure: (after: Int, error: any Error)?
  }

  private let state = Locked(State())
  private let gate: Gate?

  /// - Parameter gate: a gate that each read of a part passes.
  package init(gate: Gate? = nil) { self.gate = gate }

  package var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: .never)
    traits.keepsParts = true
    return traits
  }

  package var counts: Counts { state.withLock { $0.counts } }

  /// Makes appends throw that would make a value larger.
  package func limit(_ bytes: Int) { state.withLock { $0.limit = bytes } }

  /// Makes each read of a value throw after a number of parts.
  package func failReads(after parts: Int, with error: any Error = Failure.first) {
    state.withLock { $0.readFailure = (parts, error) }
  }

  /// Changes the stored bytes of a value.
  package func tamper(_ key: String, _ change: @Sendable (Data) -> Data) {
    state.withLock { state in
      guard let stored = state.entries[key] else { return }
      state.entries[key]?.parts = [change(stored.parts.reduce(Data(), +))]
    }
  }

  package func stored(_ key: String) -> Data? {
    state.withLock { $0.entries[key]?.parts.reduce(Data(), +) }
  }

  package func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    state.withLock { state in
      state.entries[key].map { Entry(object: $0.parts.reduce(Data(), +), expiry: $0.expiry) }
    }
  }

  package func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    put([object], key, expiry)
  }

  package func removeObject(forKey key: String) async throws { state.withLock { $0.entries[key] = nil } }
  package func removeAll() async throws { state.withLock { $0.entries = [:] } }
  package func removeExpiredObjects() async throws {
    state.withLock { $0.entries = $0.entries.filter { !$0.value.expiry.isExpired } }
  }
  package func keys() async throws -> [String] { state.withLock { Array($0.entries.keys) } }

  private func put(_ parts: [Data], _ key: String, _ expiry: Expiry?) {
    let expiry = (expiry ?? .never).resolved(by: clock)
    state.withLock { state in
      state.number += 1
      state.entries[key] = Stored(parts: parts, expiry: expiry, number: state.number)
    }
  }

  package func stream(_ key: String, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    let stored = state.withLock { state in
      state.counts.opened += 1
      return state.entries[key]
    }
    guard let stored else { return nil }
    let data = stored.parts.reduce(Data(), +)
    return StoredBytes(
      length: data.count, range: range, expiry: stored.expiry, version: "\(stored.number)"
    ) { range in
      var rest = data[range]
      var count = 0
      return { [self] in
        if rest.isEmpty { return nil }
        await gate?.pass()
        let error = state.withLock { state in
          state.counts.read += 1
          return state.readFailure.flatMap { count >= $0.after ? $0.error : nil }
        }
        if let error { throw error }
        count += 1
        defer { rest = rest.dropFirst(100_000) }
        return rest.prefix(100_000)
      }
    }
  }

  package func stage(_ key: String, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    Staged(self, key, expiry)
  }

  private final class Staged: StagedBytes {
    private let store: PartStorage
    private let key: String
    private let expiry: Expiry?
    private let parts = Locked<[Data]>([])
    private let isOver = Locked(false)

    init(_ store: PartStorage, _ key: String, _ expiry: Expiry?) {
      self.store = store
      self.key = key
      self.expiry = expiry
    }

    func append(_ bytes: Data) async throws {
      let size = parts.withLock { parts in
        parts.append(bytes)
        return parts.reduce(0) { $0 + $1.count }
      }
      try store.state.withLock { state in
        state.counts.appended += 1
        state.counts.largest = max(state.counts.largest, bytes.count)
        if size > state.limit { throw StorageError.tooLarge }
      }
    }

    func bytes(at offset: Int, count: Int) async throws -> Data? {
      parts.withLock { $0.reduce(Data(), +) }.dropFirst(offset).prefix(count)
    }

    func commit(ifAbsent: Bool) async throws -> Bool {
      if ifAbsent, let old = try await store.entryIfPresent(forKey: key), !old.expiry.isExpired {
        return false
      }
      store.put(parts.withLock { $0 }, key, expiry)
      store.state.withLock { $0.counts.committed += 1 }
      isOver.withLock { $0 = true }
      return true
    }

    func discard() async {
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst { store.state.withLock { $0.counts.discarded += 1 } }
    }
  }
}
