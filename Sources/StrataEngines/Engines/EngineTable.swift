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
    if let divided {
      // Another process may have stored the first one.
      state.parts.store(2, ordering: .relaxed)
      entry = try assembled(divided, name)
    }
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
