#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

// sync: extension PartedStorage where Base: SyncStorageAware, Parts: SyncStorageAware {
extension PartedStorage {
  /// Stores a value that is in memory, in parts if it is large. `replace` gets the bytes for the entry, and returns
  /// whether it has stored them.
  func storing(_ object: Data, _ key: Key, _ replace: (Data) async throws -> Bool) async throws -> Bool {
    if object.count <= partSize {
      return try await replacing([key]) { try await replace(StoredValue.whole(of: object)) }
    }
    let value = DividedValue(id: ValueID(), length: object.count, partSize: partSize)
    do {
      for numbers in value.steps {
        try await put(
          numbers.map { value.record($0, of: object) }, from: numbers.lowerBound, of: value.id, key)
      }
      if try await finish(value, key, replace) { return true }
    } catch {
      // sync: removeStaged(value.id)
      await discard(value.id, key)
      throw error
    }
    // sync: removeStaged(value.id)
    await discard(value.id, key)
    return false
  }

  /// Stores records of parts, and their owner before them.
  func put(_ records: [Data], from number: Int, of id: ValueID, _ key: Key) async throws {
    let now = clock.now
    if number > 0 || records.isEmpty {
      // Some minutes before a sweep may remove the parts.
      let last = now.addingTimeInterval(-stagingLease * 0.95)
      guard try await owner(id.text)?.isWriting(since: last) ?? false else {
        throw StorageError.stagedPartsLost
      }
    }
    let owner = PartOwner(key: key.storageKey, count: number + records.count, written: now)
    try await parts.change(id.text, .set(owner.data, .never), [])
    if records.isEmpty { return }
    let names = PartOwner.parts(number..<number + records.count, of: id.text)
    try await parts.change(.set(Dictionary(uniqueKeysWithValues: zip(names, records)), .never), [])
  }

  /// Stores the description of a value whose parts are stored.
  func finish(
    _ value: DividedValue, _ key: Key, _ replace: (Data) async throws -> Bool
  ) async throws -> Bool {
    let isStored = try await replacing([key]) { try await replace(value.description) }
    if !isStored { return false }
    do {
      var owner = PartOwner(key: key.storageKey, count: value.partCount, written: clock.now)
      owner.written = nil
      try await parts.change(value.id.text, .set(owner.data, .never), [])
    } catch {
      // The value is stored. In an hour, a sweep looks whether it still is.
    }
    return true
  }

  /// Runs `body`, which replaces or removes entries, and then removes the parts of their old values.
  func replacing(_ keys: [Key], _ body: () async throws -> Bool) async throws -> Bool {
    var old: [DividedValue] = []
    do {
      let entries = try await base.read(keys, [])
      old = try entries.values.compactMap { try StoredValue($0.object).divided }
    } catch {
      // An entry that cannot be read can be replaced. A sweep removes its parts.
    }
    if try await !body() { return false }
    for value in old {
      do { try await remove(value.id.text, count: value.partCount) } catch {
        // The change is made. A sweep removes the parts.
      }
    }
    return true
  }

  // MARK: Parts that no entry has

  func owner(_ name: String) async throws -> PartOwner? {
    try await parts.read(name, []).map { try PartOwner($0.object, of: name) }
  }

  /// Removes parts, and then their owner, so that a sweep finds the rest if this process ends.
  func remove(_ name: String, count: Int) async throws {
    try await parts.change(.remove(PartOwner.parts(0..<count, of: name)), [])
    try await parts.change(name, .remove, [])
  }

  /// Removes the parts of a value that has not been stored.
  func removeStaged(_ id: ValueID) async {
    do { try await removeUnowned(id.text, writersSince: .distantFuture) } catch {
      // A sweep removes them, in an hour.
    }
  }

  /// Removes parts unless an entry has their value, or their writer has stored some since a date.
  func removeUnowned(_ name: String, writersSince date: Date) async throws {
    guard let owner = try await owner(name), !owner.isWriting(since: date) else { return }
    do {
      if let key = Key(storageKey: owner.key), try await divided(key)?.id.text == name { return }
    } catch StorageError.malformedFileAttributes {
      // Reads of the entry throw until it is replaced.
      return
    }
    try await remove(name, count: owner.count)
  }

  /// Removes the parts of writers that have stopped, and of values that were replaced or removed by other means.
  func sweep() async throws {
    let lapsed = clock.now.addingTimeInterval(-stagingLease)
    var owners: [String] = []
    // sync: try parts.forEachKeyPage { names in
    for try await names in parts.keyPages() {
      owners += names.filter(PartOwner.isName)
    }
    for name in owners { try await removeUnowned(name, writersSince: lapsed) }
  }
}
