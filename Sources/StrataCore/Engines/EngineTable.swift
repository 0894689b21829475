#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of an open engine, shared by all stores of this process over it.
///
/// It knows nothing of the type of the keys, so that the compiler makes one body of code for all of them.
final class EngineTable<Engine: KeyValueEngine>: OpenEngine {
  let engine: Engine
  let gate = WriteGate()
  /// The updates that run, each with its key to itself.
  let updates = KeyOrder<[UInt8]>()
  /// The sizes and the order of use, from the first write under a limit on. Only a writer that is alone behind the gate
  /// changes the sizes; readers change the order.
  let sizes = Locked<EntrySizes?>(nil)

  init(_ engine: Engine) { self.engine = engine }

  func close() { engine.close() }

  /// Calls `body` with the record of an entry; returns `nil` if there is none.
  func read<R>(_ key: EngineKey, _ body: (EngineRecord) throws -> R) throws -> R? {
    try key.bytes.withUnsafeBytes { key in try engine.read(key) { try body(EngineRecord(checking: $0)) } }
  }

  /// Calls `body` with the key and the record of every entry, in the order of the keys. Records of other programs are
  /// left out.
  func scanEntries(_ body: (_ key: UnsafeRawBufferPointer, _ record: EngineRecord) throws -> Void) throws {
    try [EngineKey.entry].withUnsafeBytes { first in
      try engine.scan(from: first) { key, bytes in
        guard key.first == EngineKey.entry else { return false }
        if let record = EngineRecord(bytes) { try body(key, record) }
        return true
      }
    }
  }

  /// Returns the number of bytes of the keys and values of all entries.
  func totalSize() throws -> Int {
    if let known = sizes.withLock({ $0?.total }) { return known }
    var total = 0
    try scanEntries { total += Self.size(ofEntry: $0, $1) }
    return total
  }

  /// Learns the sizes of all entries, unless they are known. From then on writers go alone.
  func measure() throws {
    if sizes.withLock({ $0 != nil }) { return }
    try gate.alone(closing: true) {
      if sizes.withLock({ $0 != nil }) { return }
      var found = EntrySizes()
      try scanEntries { found.store(Array($0), size: Self.size(ofEntry: $0, $1)) }
      let result = found
      sizes.withLock { $0 = result }
    }
  }

  private static func size(ofEntry key: UnsafeRawBufferPointer, _ record: EngineRecord) -> Int {
    (record.text?.count ?? key.count - 1) + record.value.count
  }
}

/// An engine that is open in this process, whatever its type.
protocol OpenEngine: Sendable {
  func close()
}

/// The engines that are open in this process, by their type and place.
let openEngines = SharedEngines<any OpenEngine> { $0.close() }
