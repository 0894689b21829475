import Foundation
import Strata
import StrataTestKit

/// A fault of a link.
enum Lapse: Sendable {
  /// Updates read and write in two steps.
  case updatesInSteps
  /// Updates exclude only each other in this process.
  case locksInProcess(Shared<Bool>)
  /// Updates that fail are repeated.
  case repeatsUpdates
  /// Updates are not written.
  case losesUpdates
  /// Dropping the front's copy removes the value.
  case forgetsAll
  /// Removals are marks in memory.
  case marksRemovals(Shared<Set<String>>)
  /// Writes that fail return.
  case acknowledgesFailures
  /// Reads that fail return nothing.
  case missesFailures
  case dropsExpiry
  /// Expiries are in memory.
  case expiriesInMemory(Shared<[String: Expiry]>)
  /// Lists the keys that this run has written.
  case listsItsOwn(Shared<Set<String>>)
  case listsTwice
  /// A list that fails is empty.
  case listsNothingOnFailure
  /// A value that cannot be decoded is removed.
  case removesOtherTypes
  /// A value that cannot be decoded is absent.
  case missesOtherTypes
  /// A stream that fails goes on with zeros.
  case fillsStreams
  /// Values that were written in parts are in memory.
  case partsInMemory(Shared<[String: Data]>)
  /// A writer that fails commits the parts so far.
  case commitsParts
  /// Observers are called before a change.
  case tellsFirst(@Sendable (String) -> Void)
}

/// Returns a store behind a link with a fault.
func lapsing<Base: StorageAware>(_ base: Base, _ lapse: Lapse) -> any StorageAware<String, Base.Value>
where Base.Key == String { LapsingStorage(base: base, lapse: lapse) }

/// A link with a fault.
struct LapsingStorage<Base: StorageAware>: UpdateableStorage, ConditionalStorage where Base.Key == String {
  typealias Key = String
  typealias Value = Base.Value

  let base: Base
  let lapse: Lapse

  var clock: StorageClock { base.clock }
  var invalidationSource: InvalidationSource<String>? { base.invalidationSource }

  func read(_ key: String, _ how: How) async throws -> Entry<Value>? {
    switch lapse {
    case .marksRemovals(let marks) where marks.value.contains(key): return nil
    case .partsInMemory(let parts):
      if let value = parts.value[key] as? Value { return Entry(object: value, expiry: .never) }
      return try await base.read(key, how)
    case .missesFailures: do { return try await base.read(key, how) } catch { return nil }
    case .removesOtherTypes:
      do { return try await base.read(key, how) } catch StorageError.typeNotMatch {
        try await base.removeObject(forKey: key)
        throw StorageError.typeNotMatch
      }
    case .missesOtherTypes:
      do { return try await base.read(key, how) } catch StorageError.typeNotMatch { return nil }
    case .expiriesInMemory(let expiries):
      return try await base.read(key, how).map {
        Entry(object: $0.object, expiry: expiries.value[key] ?? .never)
      }
    default: return try await base.read(key, how)
    }
  }

  func read(_ keys: [String], _ how: How) async throws -> [String: Entry<Value>] {
    var entries: [String: Entry<Value>] = [:]
    for key in keys { entries[key] = try await read(key, how) }
    return entries
  }

  func change(_ key: String, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    switch (lapse, change.kind) {
    case (.forgetsAll, .forget): return try await base.change(key, .remove, how)
    case (.marksRemovals(let marks), .remove):
      marks.change { _ = $0.insert(key) }
      return true
    case (.marksRemovals(let marks), _) where change.hasObject: marks.change { _ = $0.remove(key) }
    case (.acknowledgesFailures, _):
      do { return try await base.change(key, change, how) } catch { return true }
    case (.dropsExpiry, .set): return try await base.change(key, .set(change.object, .never), how)
    case (.expiriesInMemory(let expiries), .set(let expiry?)):
      expiries.change { $0[key] = expiry.resolved(by: clock) }
      return try await base.change(key, .set(change.object, .never), how)
    case (.listsItsOwn(let keys), .set): keys.change { _ = $0.insert(key) }
    case (.listsItsOwn(let keys), .remove): keys.change { _ = $0.remove(key) }
    case (.tellsFirst(let tell), .set): tell(key)
    default: break
    }
    return try await base.change(key, change, how)
  }

  func change(_ batch: StoreBatch<String, Value>, _ how: How) async throws {
    switch batch {
    case .set(let objects, let expiry):
      for (key, object) in objects { _ = try await change(key, .set(object, expiry), how) }
    case .setEntries(let entries):
      for (key, entry) in entries { _ = try await change(key, .set(entry.object, entry.expiry), how) }
    case .remove(let keys): for key in keys { _ = try await change(key, .remove, how) }
    }
  }

  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    switch lapse {
    case .listsItsOwn(let keys):
      return try KeyPage(cursor?.position() ?? keys.value.sorted()[...], limit: limit)
    case .listsTwice where cursor == nil:
      let page = try await base.list(after: cursor, limit: limit)
      return KeyPage(keys: page.keys + page.keys.prefix(1), next: page.next)
    case .listsNothingOnFailure:
      do { return try await base.list(after: cursor, limit: limit) } catch {
        return KeyPage(keys: [], next: nil)
      }
    default: return try await base.list(after: cursor, limit: limit)
    }
  }

  func clear(_ extent: StoreExtent) async throws {
    if case .listsItsOwn(let keys) = lapse { keys.change { $0 = [] } }
    try await base.clear(extent)
  }

  func update(forKey key: String, _ modify: (inout Value) throws -> Void) async throws -> Value {
    guard let updateable = base as? any UpdateableStorage<String, Value> else { throw StorageError.notFound }
    switch lapse {
    case .updatesInSteps: return try await updateInSteps(key, modify)
    case .locksInProcess(let isLocked):
      while isLocked.change({ isLocked in
        defer { isLocked = true }
        return isLocked
      }) { await Task.yield() }
      defer { isLocked.change { $0 = false } }
      return try await updateInSteps(key, modify)
    case .repeatsUpdates:
      do { return try await updateable.update(forKey: key, modify) } catch {
        return try await updateable.update(forKey: key, modify)
      }
    case .losesUpdates:
      var value = try await base.object(forKey: key)
      try modify(&value)
      return value
    default: return try await updateable.update(forKey: key, modify)
    }
  }

  private func updateInSteps(_ key: String, _ modify: (inout Value) throws -> Void) async throws -> Value {
    var value = try await base.object(forKey: key)
    try modify(&value)
    await Task.yield()
    // An entry keeps its expiry in this link.
    try await base.setObject(value, forKey: key, expiry: base.entry(forKey: key).expiry)
    return value
  }

  func stream(_ key: String, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    if case .partsInMemory(let parts) = lapse, parts.value[key] != nil {
      return try await streamInMemory(key, range, how)
    }
    guard case .fillsStreams = lapse, let bytes = try await base.stream(key, range, how) else {
      return try await base.stream(key, range, how)
    }
    return StoredBytes(
      length: bytes.length, range: bytes.range, expiry: bytes.expiry, version: bytes.version,
      modified: bytes.modified
    ) { range in
      var (parts, left) = (bytes.reading(range).makeAsyncIterator(), range.count)
      return {
        var part: Data?
        do { part = try await parts.next() } catch { part = left > 0 ? Data(count: left) : nil }
        left -= part?.count ?? 0
        return part
      }
    }
  }

  func stage(_ key: String, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    if case .partsInMemory(let parts) = lapse {
      return StagedInMemory { data, _ in
        parts.change { $0[key] = data }
        return true
      }
    }
    let staged = try await base.stage(key, expiry, how)
    if case .commitsParts = lapse { return CommittedParts(base: staged) }
    return staged
  }
}

/// Bytes that are stored whether they are committed or not.
private struct CommittedParts: StagedBytes {
  let base: any StagedBytes
  func append(_ bytes: Data) async throws { try await base.append(bytes) }
  func bytes(at offset: Int, count: Int) async throws -> Data? {
    try await base.bytes(at: offset, count: count)
  }
  func commit(ifAbsent: Bool) async throws -> Bool { try await base.commit(ifAbsent: ifAbsent) }
  func discard() async { do { _ = try await base.commit(ifAbsent: false) } catch { await base.discard() } }
}
