import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines

/// An engine in memory, which counts its calls and fails on demand.
final class SortedEngine: KeyValueEngine {
  struct Broken: Error, CustomStringConvertible { let description = "the plug was pulled" }

  private struct State {
    var records: [[UInt8]: Data] = [:]
    var isBroken = false
    /// The number of writes after which all further ones fail.
    var writesLeft = Int.max
    var closings = 0
    var visits = 0
    var reads = 0
    /// Called once, before the next conditional write checks its conditions, in place of another process.
    var interruption: (@Sendable (SortedEngine) throws -> Void)?
  }

  let longestKey: Int
  let longestRecord: Int
  let answersAtOnce: Bool
  private let state = Locked(State())

  init(longestKey: Int = .max, longestRecord: Int = .max, answersAtOnce: Bool = false) {
    self.longestKey = longestKey
    self.longestRecord = longestRecord
    self.answersAtOnce = answersAtOnce
  }

  var isBroken: Bool {
    get { state.withLock { $0.isBroken } }
    set { state.withLock { $0.isBroken = newValue } }
  }
  var writesLeft: Int {
    get { state.withLock { $0.writesLeft } }
    set { state.withLock { $0.writesLeft = newValue } }
  }
  var closings: Int { state.withLock { $0.closings } }
  /// The number of records visited by scans, plus the number of reads of single keys.
  var visits: Int { state.withLock { $0.visits } }
  var reads: Int { state.withLock { $0.reads } }
  var keys: [[UInt8]] { state.withLock { $0.records.keys.sorted(by: Self.precedes) } }

  /// Not `lexicographicallyPrecedes`, which takes most of a scan's time in a build without optimization.
  private static func precedes(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    let order = memcmp(first, second, min(first.count, second.count))
    return order == 0 ? first.count < second.count : order < 0
  }

  func interrupt(_ body: @escaping @Sendable (SortedEngine) throws -> Void) {
    state.withLock { $0.interruption = body }
  }

  private func working<R: Sendable>(_ body: (inout State) throws -> R) throws -> R {
    try state.withLock { state in
      if state.isBroken { throw Broken() }
      return try body(&state)
    }
  }

  /// Changes the records, unless all further writes fail.
  private func writing<R: Sendable>(_ body: (inout State) throws -> R) throws -> R {
    try working { state in
      if state.writesLeft == 0 { throw Broken() }
      state.writesLeft -= 1
      return try body(&state)
    }
  }

  func read<R>(_ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R? {
    let record = try working { state in
      state.reads += 1
      return state.records[Array(key)]
    }
    return try record.map { try $0.withUnsafeBytes(body) }
  }

  func write(_ changes: [EngineChange]) throws {
    try writing { state in
      for change in changes {
        precondition(change.key.count <= longestKey, "a key is longer than the engine takes")
        state.records[change.key] = change.record
      }
    }
  }

  func write(_ changes: [EngineChange], if conditions: [EngineCondition]) throws -> Bool {
    let interruption = state.withLock { state in
      defer { state.interruption = nil }
      return state.interruption
    }
    try interruption?(self)
    return try writing { state in
      for condition in conditions {
        let record = state.records[condition.key]
        guard record.map({ $0.withUnsafeBytes { condition.holds(for: $0) } }) ?? condition.holds(for: nil)
        else {
          return false
        }
      }
      for change in changes { state.records[change.key] = change.record }
      return true
    }
  }

  func scan(from key: UnsafeRawBufferPointer, _ body: Visitor) throws {
    let (records, first) = (try working { $0.records }, Array(key))
    for (name, record) in records.sorted(by: { Self.precedes($0.key, $1.key) })
    where !Self.precedes(name, first) {
      state.withLock { $0.visits += 1 }
      let isWanted = try name.withUnsafeBytes { name in try record.withUnsafeBytes { try body(name, $0) } }
      if !isWanted { return }
    }
  }

  func close() { state.withLock { $0.closings += 1 } }
}

typealias SortedStorage = EngineStorage<String, SortedEngine>

extension EngineStorage where Engine == SortedEngine {
  /// Creates a store over an engine, at a place that no other test uses.
  convenience init(_ engine: SortedEngine, maxSize: UInt = 0, clock: StorageClock = .system) throws {
    try self.init(place: "memory \(UUID())", maxSize: maxSize, clock: clock) { engine }
  }
}
