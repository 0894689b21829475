#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The state of a tier that a check can make fail.
final class TierState: Sendable {
  /// How a tier fails.
  enum Failure: String, CaseIterable {
    /// Every call throws and has done nothing.
    case down
    /// Changes throw, and have been made.
    case doesAndThrows
    /// Changes throw and have done nothing; reads work.
    case refusesChanges
    /// Changes that store a value throw and have done nothing; reads and removals work.
    case refusesValues

    /// The failures of a tier. The first one is a memory, which can refuse a value and nothing else.
    static func all(of position: TierPosition) -> [Self] { position == .front ? [.refusesValues] : allCases }
  }

  /// The error of a tier that fails. As a pattern, it also matches an error whose cause it is.
  struct Failed: Error {
    static func ~= (_: Failed, error: any Error) -> Bool {
      if error is Failed { return true }
      return (error as? StorageError)?.cause.map { Failed() ~= $0 } ?? false
    }
  }

  private let failure = Shared<Failure?>(nil)
  private let afterRead = Shared<(@Sendable () -> Void)?>(nil)

  /// Makes the tier fail, or work again.
  func fail(_ failure: Failure?) { self.failure.change { $0 = failure } }

  /// Calls a closure after each read, before its result is returned.
  func onRead(_ body: (@Sendable () -> Void)?) { afterRead.change { $0 = body } }

  func beforeRead() throws { if failure.value == .down { throw Failed() } }
  func didRead() { afterRead.value?() }
  func beforeChange(storing: Bool) throws {
    switch failure.value {
    case .down, .refusesChanges: throw Failed()
    case .refusesValues: if storing { throw Failed() }
    case .doesAndThrows, nil: break
    }
  }
  func didChange() throws { if failure.value == .doesAndThrows { throw Failed() } }
}

extension StoreBatch {
  /// Whether the batch stores values.
  fileprivate var isStoring: Bool {
    if case .remove = self { return false }
    return true
  }
}

/// A tier of a chain that fails when a check makes it.
struct SwitchedTier<Base: StorageAware>: StorageLink {
  typealias Key = Base.Key
  typealias Value = Base.Value

  let base: Base
  let state: TierState

  var storageName: String { base.storageName }
  var wrappedStorages: [any StorageDesign] { [base] }

  func peek(forKey key: Key) -> Entry<Value>? {
    do { try state.beforeRead() } catch { return nil }
    return base.peek(forKey: key)
  }

  func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    try state.beforeRead()
    let entry = try await base.read(key, how)
    state.didRead()
    return entry
  }
  func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try state.beforeRead()
    let entries = try await base.read(keys, how)
    state.didRead()
    return entries
  }
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try state.beforeChange(storing: change.hasObject)
    let isChanged = try await base.change(key, change, how)
    try state.didChange()
    return isChanged
  }
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try state.beforeChange(storing: batch.isStoring)
    try await base.change(batch, how)
    try state.didChange()
  }
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try state.beforeRead()
    return try await base.list(after: cursor, limit: limit)
  }
  func clear(_ extent: StoreExtent) async throws {
    try state.beforeChange(storing: false)
    try await base.clear(extent)
    try state.didChange()
  }

  func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try state.beforeRead()
    guard let bytes = try await base.stream(key, range, how) else { return nil }
    let state = state
    return StoredBytes(
      length: bytes.length, range: bytes.range, expiry: bytes.expiry, version: bytes.version,
      modified: bytes.modified
    ) { range in
      var parts = bytes.reading(range).makeAsyncIterator()
      return {
        try state.beforeRead()
        return try await parts.next()
      }
    }
  }

  func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try state.beforeChange(storing: true)
    return SwitchedBytes(base: try await base.stage(key, expiry, how), state: state)
  }
}

extension SwitchedTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
  func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    try state.beforeRead()
    let entry = try base.read(key, how)
    state.didRead()
    return entry
  }
  func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    try state.beforeRead()
    let entries = try base.read(keys, how)
    state.didRead()
    return entries
  }
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try state.beforeChange(storing: change.hasObject)
    let isChanged = try base.change(key, change, how)
    try state.didChange()
    return isChanged
  }
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    try state.beforeChange(storing: batch.isStoring)
    try base.change(batch, how)
    try state.didChange()
  }
  func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try state.beforeRead()
    return try base.list(after: cursor, limit: limit)
  }
  func clear(_ extent: StoreExtent) throws {
    try state.beforeChange(storing: false)
    try base.clear(extent)
    try state.didChange()
  }
}

extension SwitchedTier: ConditionalStorage where Base: ConditionalStorage {}
extension SwitchedTier: SyncConditionalStorage where Base: SyncConditionalStorage {}

extension SwitchedTier: CountingStorage where Base: CountingStorage {
  func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try state.beforeChange(storing: true)
    let sum = try await base.increment(forKey: key, by: amount)
    try state.didChange()
    return sum
  }
}

extension SwitchedTier: UpdateableStorage where Base: UpdateableStorage {
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try state.beforeChange(storing: true)
    let value = try await base.update(forKey: key, modify)
    try state.didChange()
    return value
  }
}

extension SwitchedTier: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try state.beforeChange(storing: true)
    let value = try base.update(forKey: key, modify)
    try state.didChange()
    return value
  }
}

/// A staged value of a tier that fails when a check makes it.
private struct SwitchedBytes: StagedBytes {
  let base: any StagedBytes
  let state: TierState

  func append(_ bytes: Data) async throws {
    try state.beforeChange(storing: true)
    try await base.append(bytes)
  }
  func bytes(at offset: Int, count: Int) async throws -> Data? {
    try await base.bytes(at: offset, count: count)
  }
  func commit(ifAbsent: Bool) async throws -> Bool {
    try state.beforeChange(storing: true)
    let isStored = try await base.commit(ifAbsent: ifAbsent)
    try state.didChange()
    return isStored
  }
  func discard() async { await base.discard() }
}
