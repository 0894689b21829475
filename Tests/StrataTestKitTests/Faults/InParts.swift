import Foundation
import Strata
import StrataTestKit

/// A correct store that reads and writes values in parts, whose functions can be replaced by faulty ones.
struct InParts: ConditionalStorage {
  let base: any StorageAware<String, Data>
  var open: @Sendable (String, Range<Int>?) async throws -> StoredBytes?
  /// Called with the bytes so far after each `append`.
  var append: @Sendable (Staging) async throws -> Void = { _ in }
  var readBack: @Sendable (Data, _ offset: Int, _ count: Int) -> Data? = { $0.dropFirst($1).prefix($2) }
  var commit: @Sendable (Staging, _ ifAbsent: Bool) async throws -> Bool
  var discard: @Sendable (Staging) async -> Void = { _ in }
  var make: @Sendable (String, StoreChange<Data>) async throws -> Bool
  var claimsParts = false

  init(_ base: any StorageAware<String, Data>) {
    self.base = base
    open = { key, range in
      guard let entry = try await base.read(key, []) else { return nil }
      return Self.stream(entry.object, range, entry.expiry)
    }
    commit = {
      try await base.change($0.key, $1 ? .setIfAbsent($0.data, $0.expiry) : .set($0.data, $0.expiry), [])
    }
    make = { try await base.change($0, $1, []) }
  }

  /// Returns a stream with parts of 100 000 bytes, between which other tasks run.
  ///
  /// - Parameter read: returns the bytes of a part, in place of those in `data`.
  static func stream(
    _ data: Data, _ range: Range<Int>?, _ expiry: Expiry,
    _ read: (@Sendable (Range<Int>) async throws -> Data?)? = nil,
    file: (@Sendable () async throws -> StoredFile)? = nil
  ) -> StoredBytes {
    StoredBytes(length: data.count, range: range, expiry: expiry, file: file) { range in
      var rest = range
      return {
        let part = rest.prefix(100_000)
        rest = rest.dropFirst(part.count)
        await Task.yield()
        if let read { return try await read(part.startIndex..<part.endIndex) }
        return data.dropFirst(part.startIndex).prefix(part.count)
      }
    }
  }

  /// A value that is written in parts.
  final class Staging: StagedBytes {
    let id = UUID()
    let key: String
    let expiry: Expiry?
    private let store: InParts
    private let bytes = Shared(Data())
    private let isCommitted = Shared(false)

    init(_ key: String, _ expiry: Expiry?, in store: InParts) {
      self.key = key
      self.expiry = expiry
      self.store = store
    }

    var data: Data { bytes.value }
    func append(_ part: Data) async throws {
      bytes.change { $0.append(part) }
      try await store.append(self)
    }
    func bytes(at offset: Int, count: Int) async throws -> Data? { store.readBack(data, offset, count) }
    func commit(ifAbsent: Bool) async throws -> Bool { try await store.commit(self, ifAbsent) }
    func discard() async { await store.discard(self) }
  }

  var clock: StorageClock { base.clock }
  var traits: StoreTraits {
    var traits = base.traits
    traits.keepsParts = claimsParts
    return traits
  }
  func stream(_ key: String, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await open(key, range)
  }
  func stage(_ key: String, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    Staging(key, expiry, in: self)
  }
  func read(_ key: String, _ how: How) async throws -> Entry<Data>? { try await base.read(key, how) }
  func read(_ keys: [String], _ how: How) async throws -> [String: Entry<Data>] {
    try await base.read(keys, how)
  }
  func change(_ key: String, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    try await make(key, change)
  }
  func change(_ batch: StoreBatch<String, Data>, _ how: How) async throws {
    try await base.change(batch, how)
  }
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try await base.list(after: cursor, limit: limit)
  }
  func clear(_ extent: StoreExtent) async throws { try await base.clear(extent) }
}

extension Fault {
  /// A fault of a store in parts. Kills and reopened stores are checked only if `isKilled` is set.
  static func inParts(
    _ promise: Contract, _ name: String, _ reason: String, isBrief: Bool = false, isKilled: Bool = false,
    _ bend: @escaping @Sendable (inout InParts, Place) -> Void
  ) -> Fault {
    let except: Set<Contract> = isKilled ? [] : [.survivingKill]
    return Fault(
      promise, reason, isBrief: isBrief,
      Subject(name, except: except) { place in
        var store = InParts(isKilled ? try good(promise, at: place) : Reference(at: place))
        bend(&store, place)
        return store
      })
  }
}
