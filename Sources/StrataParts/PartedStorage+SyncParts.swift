// Generated from PartedStorage+AsyncParts.swift by `make twins`.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension PartedStorage where Base: SyncStorageAware, Parts: SyncStorageAware {
  /// Stores a value that is in memory, in parts if it is large. `replace` gets the bytes for the entry, and returns
  /// whether it has stored them.
  func storing(_ object: Data, _ key: Key, _ replace: (Data) throws -> Bool) throws -> Bool {
    if object.count <= partSize {
      return try replacing([key]) { try replace(StoredValue.whole(of: object)) }
    }
    let value = DividedValue(id: ValueID(), length: object.count, partSize: partSize)
    do {
      for numbers in value.steps {
        try put(
          numbers.map { value.record($0, of: object) }, from: numbers.lowerBound, of: value.id, key)
      }
      if try finish(value, key, replace) { return true }
    } catch {
      removeStaged(value.id)
      throw error
    }
    removeStaged(value.id)
    return false
  }

  /// Stores records of parts, and their owner before them.
  func put(_ records: [Data], from number: Int, of id: ValueID, _ key: Key) throws {
    let now = clock.now
    if number > 0 || records.isEmpty {
      // Some minutes before a sweep may remove the parts.
      let last = now.addingTimeInterval(-stagingLease * 0.95)
      guard try owner(id.text)?.isWriting(since: last) ?? false else {
        throw StorageError.stagedPartsLost
      }
    }
    let owner = PartOwner(key: key.storageKey, count: number + records.count, written: now)
    try parts.change(id.text, .set(owner.data, .never), [])
    if records.isEmpty { return }
    let names = PartOwner.parts(number..<number + records.count, of: id.text)
    try parts.change(.set(Dictionary(uniqueKeysWithValues: zip(names, records)), .never), [])
  }

  /// Stores the description of a value whose parts are stored.
  func finish(
    _ value: DividedValue, _ key: Key, _ replace: (Data) throws -> Bool
  ) throws -> Bool {
    let isStored = try replacing([key]) { try replace(value.description) }
    if !isStored { return false }
    do {
      var owner = PartOwner(key: key.storageKey, count: value.partCount, written: clock.now)
      owner.written = nil
      try parts.change(value.id.text, .set(owner.data, .never), [])
    } catch {
      // The value is stored. In an hour, a sweep looks whether it still is.
    }
    return true
  }

  /// Runs `body`, which replaces or removes entries, and then removes the parts of their old values.
  func replacing(_ keys: [Key], _ body: () throws -> Bool) throws -> Bool {
    var old: [DividedValue] = []
    do {
      let entries = try base.read(keys, [])
      old = try entries.values.compactMap { try StoredValue($0.object).divided }
    } catch {
      // An entry that cannot be read can be replaced. A sweep removes its parts.
    }
    if try !body() { return false }
    for value in old {
      do { try remove(value.id.text, count: value.partCount) } catch {
        // The change is made. A sweep removes the parts.
      }
    }
    return true
  }

  // MARK: Parts that no entry has

  func owner(_ name: String) throws -> PartOwner? {
    try parts.read(name, []).map { try PartOwner($0.object, of: name) }
  }

  /// Removes parts, and then their owner, so that a sweep finds the rest if this process ends.
  func remove(_ name: String, count: Int) throws {
    try parts.change(.remove(PartOwner.parts(0..<count, of: name)), [])
    try parts.change(name, .remove, [])
  }

  /// Removes the parts of a value that has not been stored.
  func removeStaged(_ id: ValueID) {
    do { try removeUnowned(id.text, writersSince: .distantFuture) } catch {
      // A sweep removes them, in an hour.
    }
  }

  /// Removes parts unless an entry has their value, or their writer has stored some since a date.
  func removeUnowned(_ name: String, writersSince date: Date) throws {
    guard let owner = try owner(name), !owner.isWriting(since: date) else { return }
    do {
      if let key = Key(storageKey: owner.key), try divided(key)?.id.text == name { return }
    } catch StorageError.malformedFileAttributes {
      // Reads of the entry throw until it is replaced.
      return
    }
    try remove(name, count: owner.count)
  }

  /// Removes the parts of writers that have stopped, and of values that were replaced or removed by other means.
  func sweep() throws {
    let lapsed = clock.now.addingTimeInterval(-stagingLease)
    var owners: [String] = []
    try parts.forEachKeyPage { names in
      owners += names.filter(PartOwner.isName)
    }
    for name in owners { try removeUnowned(name, writersSince: lapsed) }
  }
}
