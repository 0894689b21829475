#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    guard let first = entries.first else { return }
    if limit == nil {
      let isWritten = try first.text.withCanonicalUTF8 { text in
        try gate.beside(UnsafeRawBufferPointer(text)) {
          // One record for an entry without a deadline, otherwise up to two.
          let count = entries.count == 1 && first.expiry == .never ? 1 : 2 * entries.count
          try engine.write(lent: count) { change in
            for entry in entries { try lend(entry, name(of: entry.text), to: change) }
          }
        }
      }
      if isWritten { return }
    }
    try putAlone(entries)
  }

  /// Passes the record of an entry, and the record of its deadline if it has one, to `body`.
  private func lend(_ entry: StoredEntry, _ key: EngineKey, to body: Engine.LentChange) throws {
    try EngineRecord.with(entry.value, entry.expiry, text: key.text) { record in
      try key.bytes.withUnsafeBytes { try body($0, record) }
    }
    guard case .date(let date) = entry.expiry,
      let deadline = EngineKey.deadline(date, ofEntry: key.bytes)
    else { return }
    try EngineRecord.with(Data(), entry.expiry, text: nil) { record in
      try deadline.withUnsafeBytes { try body($0, record) }
    }
  }

  func put(_ entry: StoredEntry, ifAbsent: Bool) throws -> Bool {
    if !ifAbsent {
      try put([entry])
      return true
    }
    let key = name(of: entry.text)
    while true {
      let seen = try read(key) { $0.expiry }
      if let seen, !seen.isExpired(by: clock) { return false }
      let condition = seen.map { EngineCondition(key: key.bytes, expected: .beginning(key.head($0))) }
      if try putAlone([entry], if: condition ?? EngineCondition(key: key.bytes, expected: .absent)) {
        return true
      }
    }
  }

  func touch(_ text: String, _ expiry: Expiry) throws -> Bool {
    let key = name(of: text)
    while true {
      guard let seen = try read(key, { $0.entry }), !seen.expiry.isExpired(by: clock) else { return false }
      if try putAlone([(text, seen.object, expiry)], if: key.condition(stillIs: seen)) { return true }
    }
  }

  func replace(_ seen: Entry<Data>, with value: Data, _ text: String) throws -> Bool {
    try putAlone([(text, value, seen.expiry)], if: name(of: text).condition(stillIs: seen))
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
  private func putAlone(_ entries: [StoredEntry], if condition: EngineCondition? = nil) throws -> Bool {
    if limit != nil { try measure() }
    return try gate.alone {
      var changes: [EngineChange] = []
      var needed: [[UInt8]: Int] = [:]
      for entry in entries {
        let key = name(of: entry.text)
        try lend(entry, key) { changes.append(EngineChange(key: Array($0), record: $1.map { Data($0) })) }
        needed[key.bytes] = key.size + entry.value.count
      }
      var victims: [[UInt8]] = []
      if let limit {
        let size = needed.values.reduce(0, +)
        if size > limit { throw LimitExceeded(size: size, limit: limit) }
        victims = state.sizes.withLock { $0?.victims(toFit: needed, limit: limit) ?? [] }
      }
      changes.insert(contentsOf: victims.map { EngineChange(key: $0, record: nil) }, at: 0)
      if let condition {
        guard try engine.write(changes, if: [condition]) else { return false }
      } else {
        try engine.write(changes)
      }
      let (gone, stored) = (victims, needed)
      state.sizes.withLock { sizes in
        for key in gone { sizes?.remove(key) }
        for (key, size) in stored { sizes?.store(key, size: size) }
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
