#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

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
      var old: [ValueID] = []
      let isWritten = try first.text.withCanonicalUTF8 { text in
        try gate.beside(UnsafeRawBufferPointer(text)) {
          old = try mayHaveParts() ? divided(entries.map { name(of: $0.text).bytes }) : []
          // One record for an entry without a deadline, otherwise up to two.
          let count = entries.count == 1 && first.expiry == .never ? 1 : 2 * entries.count
          try engine.write(lent: count + 2 * old.count) { change in
            for entry in entries { try lend(entry, name(of: entry.text), to: change) }
            for id in old { try disown(id, by: change) }
          }
        }
      }
      if isWritten { return tidy { try removeParts(ofDisowned: old) } }
    }
    try putAlone(entries)
  }

  /// Passes the record of an entry, and the record of its deadline if it has one, to `body`.
  private func lend(
    _ entry: StoredEntry, _ key: EngineKey, isDivided: Bool = false, to body: Engine.LentChange
  ) throws {
    try EngineRecord.with(entry.value, entry.expiry, text: key.text, isDivided: isDivided) { record in
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
      let seen = try read(key) { (expiry: $0.expiry, isDivided: $0.isDivided) }
      if let seen, !seen.expiry.isExpired(by: clock) { return false }
      if try putAlone([entry], if: [condition(on: key, seen)]) { return true }
    }
  }

  func touch(_ text: String, _ expiry: Expiry) throws -> Bool {
    let key = name(of: text)
    while true {
      guard let (seen, value) = try read(key, { ($0.entry, try $0.divided) }),
        seen.isLive(by: clock)
      else { return false }
      let condition = key.condition(stillIs: seen, isDivided: value != nil)
      if try putAlone([(text, seen.object, expiry)], value, if: [condition]) { return true }
    }
  }

  func replace(_ seen: Entry<Data>, with value: Data, _ text: String) throws -> Bool {
    let key = name(of: text)
    var condition = key.condition(stillIs: seen)
    if try mayHaveParts(), case .divided(let old, let expiry)? = try read(key, { try $0.stored }) {
      guard expiry == seen.expiry, try assembled(old, key)?.object == seen.object else { return false }
      condition = key.condition(stillIs: Entry(object: old.description, expiry: expiry), isDivided: true)
    }
    return try putAlone([(text, value, seen.expiry)], if: [condition])
  }

  /// Removes entries atomically. Their deadlines stay until they are reached and the next sweep removes them.
  func remove(_ texts: [String]) throws {
    let keys = texts.map(name)
    guard let first = keys.first else { return }
    let changes = keys.map { EngineChange(key: $0.bytes, record: nil) }
    var old: [ValueID] = []
    func remove() throws {
      old = try mayHaveParts() ? divided(keys.map(\.bytes)) : []
      try engine.write(changes + old.flatMap(disowning))
    }
    let isMade = try first.bytes.withUnsafeBytes { key in try gate.beside(key, remove) }
    if !isMade {
      try gate.alone {
        try remove()
        state.sizes.withLock { sizes in for key in keys { sizes?.remove(key.bytes) } }
      }
    }
    tidy { try removeParts(ofDisowned: old) }
  }

  /// Removes all entries and deadlines.
  func removeAll() throws {
    let (first, end) = ([EngineKey.entry], [EngineKey.end])
    try gate.alone {
      try engine.removeRecords(from: first, until: end)
      state.sizes.withLock { if $0 != nil { $0 = EntrySizes() } }
    }
    // Runs while writers continue.
    tidy {
      try reclaim(thoroughly: true)
      try engine.reclaimSpace(from: first, until: PartKey.end)
    }
  }

  /// Stores entries while no other writer of this process writes, or an entry whose value is a description of parts.
  /// Returns `false` if a condition does not hold.
  @discardableResult
  func putAlone(
    _ entries: [StoredEntry], _ value: DividedValue? = nil, if conditions: [EngineCondition] = [],
    and more: [EngineChange] = []
  ) throws -> Bool {
    if limit != nil { try measure() }
    var old: [ValueID] = []
    let isWritten = try gate.alone {
      var changes = more
      var needed: [[UInt8]: Int] = [:]
      for entry in entries {
        let key = name(of: entry.text)
        try lend(entry, key, isDivided: value != nil) {
          changes.append(EngineChange(key: Array($0), record: $1.map { Data($0) }))
        }
        needed[key.bytes] = key.size + (value?.length ?? entry.value.count)
      }
      var victims: [[UInt8]] = []
      if let limit {
        let size = needed.values.reduce(0, +)
        if size > limit { throw LimitExceeded(size: size, limit: limit) }
        victims = state.sizes.withLock { $0?.victims(toFit: needed, limit: limit) ?? [] }
      }
      changes.insert(contentsOf: victims.map { EngineChange(key: $0, record: nil) }, at: 0)
      if try mayHaveParts() {
        old = try divided(victims + needed.keys).filter { $0 != value?.id }
        changes += old.flatMap(disowning)
      }
      if conditions.isEmpty {
        try engine.write(changes)
      } else {
        guard try engine.write(changes, if: conditions) else { return false }
      }
      let (gone, stored) = (victims, needed)
      state.sizes.withLock { sizes in
        for key in gone { sizes?.remove(key) }
        for (key, size) in stored { sizes?.store(key, size: size) }
      }
      return true
    }
    // A commit of parts must be short: the caller removes those of the old value later.
    if isWritten, value == nil { tidy { try removeParts(ofDisowned: old) } }
    return isWritten
  }
}

extension EngineKey {
  /// Returns the condition that an entry is still as it was read.
  fileprivate func condition(stillIs seen: Entry<Data>, isDivided: Bool = false) -> EngineCondition {
    let record = EngineRecord.encode(seen.object, seen.expiry, text: text, isDivided: isDivided)
    return EngineCondition(key: bytes, expected: .whole(record))
  }
}
