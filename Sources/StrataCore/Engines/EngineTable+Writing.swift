#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Entries to store atomically, with resolved expiries.
struct NewEntries {
  let entries: [(key: EngineKey, value: Data, expiry: Expiry)]

  /// The sizes that count against a limit, by the engine's keys.
  var sizes: [[UInt8]: Int] {
    var sizes: [[UInt8]: Int] = [:]
    for (key, value, _) in entries { sizes[key.bytes] = key.size + value.count }
    return sizes
  }

  /// The records of the entries and of their deadlines, for the engine.
  var changes: [EngineChange] {
    var changes: [EngineChange] = []
    changes.reserveCapacity(entries.count)
    for (key, value, expiry) in entries {
      changes.append(EngineChange(key: key.bytes, record: EngineRecord.encode(value, expiry, text: key.text)))
      if case .date(let date) = expiry, let deadline = EngineKey.deadline(date, ofEntry: key.bytes) {
        changes.append(EngineChange(key: deadline, record: EngineRecord.encode(Data(), expiry, text: nil)))
      }
    }
    return changes
  }
}

/// Thrown for entries that are larger than the limit of their store.
package struct LimitExceeded: Error {
  let size: Int
  let limit: Int

  package init(size: Int, limit: Int) {
    self.size = size
    self.limit = limit
  }
}

extension EngineTable {
  func refuseTooLarge(_ entry: StoredEntry) throws {
    let size = EngineRecord.longestHead + entry.value.count
    // Unicode's normalisation form C can have three times the bytes of a text.
    if size + 3 * entry.text.utf8.count <= engine.longestRecord { return }
    let whole = size + (name(of: entry.text).text?.count ?? 0)
    if whole > engine.longestRecord { throw LimitExceeded(size: whole, limit: engine.longestRecord) }
  }

  /// Stores entries atomically, and evicts others if a limit would be exceeded.
  ///
  /// Without a limit nothing is read, and writers of different keys run concurrently.
  func put(_ entries: [StoredEntry]) throws {
    try put(NewEntries(entries: entries.map { (name(of: $0.text), $0.value, $0.expiry) }))
  }

  private func put(_ new: NewEntries) throws {
    guard let first = new.entries.first else { return }
    if try limit == nil && writeBeside(first.key, new.changes) { return }
    try putAlone(new)
  }

  func put(_ entry: StoredEntry, ifAbsent: Bool) throws -> Bool {
    let key = name(of: entry.text)
    let new = NewEntries(entries: [(key, entry.value, entry.expiry)])
    if !ifAbsent { try put(new) }
    while ifAbsent {
      let seen = try read(key) { $0.expiry }
      if let seen, !seen.isExpired(by: clock) { return false }
      let condition = seen.map { EngineCondition(key: key.bytes, expected: .beginning(key.head($0))) }
      if try putAlone(new, if: condition ?? EngineCondition(key: key.bytes, expected: .absent)) {
        return true
      }
    }
    return true
  }

  func touch(_ text: String, _ expiry: Expiry) throws -> Bool {
    let key = name(of: text)
    while true {
      guard let seen = try read(key, { $0.entry }), !seen.expiry.isExpired(by: clock) else { return false }
      let new = NewEntries(entries: [(key, seen.object, expiry)])
      if try putAlone(new, if: key.condition(stillIs: seen)) { return true }
    }
  }

  func replace(_ seen: Entry<Data>, with value: Data, _ text: String) throws -> Bool {
    let key = name(of: text)
    return try putAlone(
      NewEntries(entries: [(key, value, seen.expiry)]), if: key.condition(stillIs: seen))
  }

  /// Removes entries atomically. Their deadlines stay until they are reached and the next sweep removes them.
  func remove(_ texts: [String]) throws {
    let keys = texts.map(name)
    guard let first = keys.first else { return }
    let changes = keys.map { EngineChange(key: $0.bytes, record: nil) }
    if try writeBeside(first, changes) { return }
    try gate.alone {
      try engine.write(changes)
      state.sizes.withLock { sizes in for key in keys { sizes?.remove(key.bytes) } }
    }
  }

  /// Removes all entries and deadlines.
  func removeAll() throws {
    let (first, end) = ([EngineKey.entry], [EngineKey.end])
    try gate.alone {
      try engine.removeRecords(from: first, until: end)
      state.sizes.withLock { if $0 != nil { $0 = EntrySizes() } }
    }
    // Runs while writers continue.
    try engine.reclaimSpace(from: first, until: end)
  }

  /// Writes while writers of other keys may run, and returns `true`. Returns `false` without writing if all writers
  /// must run alone.
  private func writeBeside(_ first: EngineKey, _ changes: [EngineChange]) throws -> Bool {
    try first.bytes.withUnsafeBytes { key in try gate.beside(key) { try engine.write(changes) } }
  }

  /// Stores entries while no other writer of this process writes. Returns `false` if the condition does not hold.
  @discardableResult
  private func putAlone(_ new: NewEntries, if condition: EngineCondition? = nil) throws -> Bool {
    if limit != nil { try measure() }
    return try gate.alone {
      let needed = new.sizes
      var victims: [[UInt8]] = []
      if let limit {
        let size = needed.values.reduce(0, +)
        if size > limit { throw LimitExceeded(size: size, limit: limit) }
        victims = state.sizes.withLock { $0?.victims(toFit: needed, limit: limit) ?? [] }
      }
      let changes = victims.map { EngineChange(key: $0, record: nil) } + new.changes
      if let condition {
        guard try engine.write(changes, if: [condition]) else { return false }
      } else {
        try engine.write(changes)
      }
      let gone = victims
      state.sizes.withLock { sizes in
        for key in gone { sizes?.remove(key) }
        for (key, size) in needed { sizes?.store(key, size: size) }
      }
      return true
    }
  }
}

extension EngineKey {
  /// Returns the bytes before the value in the record of an entry with an expiry.
  fileprivate func head(_ expiry: Expiry) -> [UInt8] { EngineRecord.head(expiry, text: text) }

  /// Returns the condition that an entry is still as it was read.
  fileprivate func condition(stillIs seen: Entry<Data>) -> EngineCondition {
    EngineCondition(key: bytes, expected: .whole(EngineRecord.encode(seen.object, seen.expiry, text: text)))
  }
}
