#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of an open engine.
///
/// It does not depend on the type of the keys, so the compiler generates its code once for all key types.
final class EngineTable<Engine: KeyValueEngine>: Sendable {
  let engine: Engine
  let state: EngineState

  init(_ engine: Engine, _ state: EngineState) {
    self.engine = engine
    self.state = state
  }

  var gate: WriteGate { state.gate }

  /// Calls `body` with the record of an entry; returns `nil` if there is none.
  func read<R>(_ key: EngineKey, _ body: (EngineRecord) throws -> R) throws -> R? {
    try key.bytes.withUnsafeBytes { key in try engine.read(key) { try body(EngineRecord(checking: $0)) } }
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
    if let known = state.sizes.withLock({ $0?.total }) { return known }
    var total = 0
    try scanEntries {
      total += Self.size(ofEntry: $0, $1)
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
        found.store(Array($0), size: Self.size(ofEntry: $0, $1))
        return true
      }
      let result = found
      state.sizes.withLock { $0 = result }
    }
  }

  private static func size(ofEntry key: UnsafeRawBufferPointer, _ record: EngineRecord) -> Int {
    (record.text?.count ?? key.count - 1) + record.value.count
  }
}

/// The state that all stores of a process over one location share.
package final class EngineState: Sendable {
  let gate = WriteGate()
  /// The running updates, at most one per key.
  let updates = KeyOrder<[UInt8]>()
  /// The sizes and the order of use, known from the first write under a limit on. Only a writer that runs alone changes
  /// the sizes; readers change the order.
  let sizes = Locked<EntrySizes?>(nil)

  package init() {}
}

/// An engine that is open in this process.
struct OpenEngine: Sendable {
  let engine: any KeyValueEngine
  let state = EngineState()
}

/// The engines that are open in this process, by their type and location.
let openEngines = SharedEngines<OpenEngine> { $0.engine.close() }
