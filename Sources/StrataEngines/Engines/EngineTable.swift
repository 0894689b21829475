#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// The entries of an open engine.
///
/// It does not depend on the type of the keys, so the compiler generates its code once for all key types.
final class EngineTable<Engine: KeyValueEngine>: StoreTable {
  let engine: Engine
  let state: EngineState
  let clock: StorageClock
  /// The maximum number of bytes of keys and values; `nil` for no limit.
  let limit: Int?

  init(_ engine: Engine, _ state: EngineState, limit: Int?, clock: StorageClock) {
    self.engine = engine
    self.state = state
    self.limit = limit
    self.clock = clock
  }

  var gate: WriteGate { state.gate }
  var updates: KeyOrder<TableKey> { state.updates }
  var scope: String { "" }
  var answersAtOnce: Bool { engine.answersAtOnce }

  func name(of text: String) -> EngineKey { EngineKey(text, longest: engine.longestKey) }

  func explained(_ error: any Error) -> StorageError { engine.explained(error) }

  func entry(_ text: String) throws -> Entry<Data>? {
    let name = name(of: text)
    var divided: DividedValue?
    var entry = try read(name) { record in
      divided = try record.divided
      return divided == nil ? record.entry : Entry(expiry: record.expiry)
    }
    if let divided { entry = try assembled(divided, name) }
    if entry != nil { noteUse(of: name.bytes) }
    return entry
  }

  func expiry(_ text: String) throws -> Expiry? { try read(name(of: text)) { $0.expiry } }

  func entries(
    _ count: Int, _ text: (_ index: Int) -> String, reading: inout Int?,
    _ body: (_ index: Int, _ entry: consuming Entry<Data>) -> Void
  ) throws {
    let names = (0..<count).map { name(of: text($0)).bytes }
    var divided: [(index: Int, value: DividedValue)] = []
    try engine.read(names) { index, bytes in
      reading = index
      let record = try EngineRecord(checking: bytes)
      if let value = try record.divided { divided.append((index, value)) } else { body(index, record.entry) }
      reading = nil
      noteUse(of: names[index])
    }
    for (index, value) in divided {
      reading = index
      if let entry = try assembled(value, name(of: text(index))) { body(index, entry) }
      reading = nil
    }
  }

  func eachKey(from position: [UInt8]?, validAt now: Date, _ body: KeyVisitor) throws {
    let start = position.flatMap { $0.isEmpty ? nil : $0 } ?? [EngineKey.entry]
    try scanEntries(from: start) { bytes, record in
      if case .date(let date) = record.expiry, date <= now { return true }
      return try body(bytes, EngineKey.text(ofEntry: bytes, record))
    }
  }

  func noteUse(of key: [UInt8]) {
    if limit != nil { state.sizes.withLock { $0?.touch(key) } }
  }

  /// Calls `body` with the record of an entry; returns `nil` if there is none.
  ///
  /// Inlined, so that the type of the result is known.
  @inline(__always)
  func read<R>(_ key: EngineKey, _ body: (EngineRecord) throws -> R) throws -> R? {
    // An engine can have code of its own for a read without a result.
    var result: R?
    _ = try key.bytes.withUnsafeBytes { key in
      try engine.read(key) { result = try body(EngineRecord(checking: $0)) }
    }
    return result
  }

  /// Calls `body` with the keys and the records of entries, in the order of the keys, from a key on until it returns
  /// `false`. Records of other programs are left out.
  func scanEntries(
    from start: [UInt8] = [EngineKey.entry],
    _ body: (_ key: UnsafeRawBufferPointer, _ record: EngineRecord) throws -> Bool
  ) throws {
    try start.withUnsafeBytes { start in
      try engine.scan(from: start) { key, bytes in
        guard key.first == EngineKey.entry else { return false }
        guard let record = EngineRecord(bytes) else { return true }
        return try body(key, record)
      }
    }
  }

  /// Returns the number of bytes of the keys and values of all entries.
  func totalSize() throws -> Int {
    if limit != nil { try measure() }
    if let known = state.sizes.withLock({ $0?.total }) { return known }
    var total = 0
    try scanEntries {
      total += try Self.size(ofEntry: $0, $1)
      return true
    }
    return total
  }

  /// Reads the sizes of all entries, unless they are known. From then on writers run alone.
  func measure() throws {
    if state.sizes.withLock({ $0 != nil }) { return }
    try gate.alone(closing: true) {
      if state.sizes.withLock({ $0 != nil }) { return }
      var found = EntrySizes()
      try scanEntries {
        found.store(Array($0), size: try Self.size(ofEntry: $0, $1))
        return true
      }
      let result = found
      state.sizes.withLock { $0 = result }
    }
  }

  private static func size(ofEntry key: UnsafeRawBufferPointer, _ record: EngineRecord) throws -> Int {
    (record.text?.count ?? key.count - 1) + (try record.divided?.length ?? record.value.count)
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

// MARK: Writing

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
      if isWritten { return try removeParts(ofDisowned: old) }
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
        !seen.expiry.isExpired(by: clock)
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
    try removeParts(ofDisowned: old)
  }

  /// Removes all entries and deadlines.
  func removeAll() throws {
    let (first, end) = ([EngineKey.entry], [EngineKey.end])
    try gate.alone {
      try engine.removeRecords(from: first, until: end)
      state.sizes.withLock { if $0 != nil { $0 = EntrySizes() } }
    }
    // Runs while writers continue.
    try reclaim(thoroughly: true)
    try engine.reclaimSpace(from: first, until: PartKey.end)
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
    if isWritten, value == nil { try removeParts(ofDisowned: old) }
    return isWritten
  }

  // MARK: Sweeping

  /// The number of deadlines that are examined while other writers wait, which takes some milliseconds.
  private static var sweepStep: Int { 256 }

  /// Removes expired entries. The cost grows with the number of removed entries and of entries that expire within the
  /// hour.
  func removeExpired() throws {
    let now = clock.now
    var next: [UInt8]? = [EngineKey.deadline]
    while let start = next {
      var passed: [[UInt8]] = []
      next = nil
      try start.withUnsafeBytes { start in
        try engine.scan(from: start) { key, bytes in
          guard key.first == EngineKey.deadline else { return false }
          guard let hour = EngineKey.hour(ofDeadline: key) else { return true }
          if hour > now { return false }
          if passed.count == Self.sweepStep {
            next = Array(key)
            return false
          }
          if case .date(let date)? = EngineRecord(bytes)?.expiry, date <= now { passed.append(Array(key)) }
          return true
        }
      }
      // Only after the scan has ended: during a scan an engine may hold a lock that writers need.
      if !passed.isEmpty { try remove(passed, expiredBy: now) }
    }
    try reclaim(thoroughly: true)
  }

  /// Removes deadlines, and the entries that have expired with them.
  ///
  /// An entry that was replaced stays. Its deadline stays too if it is in the same hour, since both deadlines have the
  /// same key.
  func remove(_ deadlines: [[UInt8]], expiredBy now: Date) throws {
    try gate.alone {
      while true {
        var changes: [EngineChange] = []
        var conditions: [EngineCondition] = []
        var removed: [[UInt8]] = []
        for deadline in deadlines {
          guard let entry = deadline.withUnsafeBytes(EngineKey.entry(ofDeadline:)) else { continue }
          // The flags and the date of the record. If another entry has the same ones, it has expired too.
          let seen = try entry.withUnsafeBytes { entry in
            try engine.read(entry) { bytes in
              let record = EngineRecord(bytes)
              return (expiry: record?.expiry, head: Array(bytes.prefix(9)), value: try record?.divided)
            }
          }
          let state = seen.map { EngineCondition.Expected.beginning($0.head) } ?? .absent
          conditions.append(EngineCondition(key: entry, expected: state))
          if case .date(let date)? = seen?.expiry {
            if date <= now {
              changes.append(EngineChange(key: entry, record: nil))
              removed.append(entry)
              if let id = seen?.value?.id { changes += disowning(id) }
            } else if EngineKey.deadline(date, ofEntry: entry) == deadline {
              continue
            }
          }
          changes.append(EngineChange(key: deadline, record: nil))
        }
        if try !engine.write(changes, if: conditions) { continue }
        let gone = removed
        state.sizes.withLock { sizes in for key in gone { sizes?.remove(key) } }
        return
      }
    }
  }
}

extension EngineKey {
  /// Returns the condition that an entry is still as it was read.
  fileprivate func condition(stillIs seen: Entry<Data>, isDivided: Bool = false) -> EngineCondition {
    let record = EngineRecord.encode(seen.object, seen.expiry, text: text, isDivided: isDivided)
    return EngineCondition(key: bytes, expected: .whole(record))
  }
}

/// The state that all stores of a process over one location share.
package final class EngineState: Sendable {
  let gate = WriteGate()
  /// The running updates, at most one per key.
  let updates = KeyOrder<TableKey>()
  /// The sizes and the order of use, known from the first write under a limit on. Only a writer that runs alone changes
  /// the sizes; readers change the order.
  let sizes = Locked<EntrySizes?>(nil)
  /// Whether the engine has values in parts: unknown, no, or yes.
  let parts = Atomic<UInt8>(0)

  package init() {}
}

/// An engine that is open in this process.
struct OpenEngine: Sendable {
  let engine: any KeyValueEngine
  let state = EngineState()
}

/// The engines that are open in this process, by their type and location.
let openEngines = SharedEngines<OpenEngine> { $0.engine.close() }
