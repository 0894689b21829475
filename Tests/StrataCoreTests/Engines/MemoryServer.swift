import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines

/// A server in memory, which counts requests and fails on demand.
final class MemoryServer: KeyValueServer {
  struct Broken: Error, CustomStringConvertible { let description = "the cable was cut" }

  private struct State {
    var records: [String: (record: ServerRecord, lifetime: Int?)] = [:]
    var lastVersion = 0
    var isBroken = false
    var reads = 0
    var largestCall = 0
    /// Called once, before the next conditional change, in place of another process.
    var interruption: (@Sendable () async throws -> Void)?
  }

  let address = "memory.internal"
  let longestName: Int
  let longestRecord: Int
  /// Whether names are listed in several pages.
  private let hasPages: Bool
  private let state = Locked(State())

  init(longestName: Int = .max, longestRecord: Int = .max, hasPages: Bool = false) {
    self.longestName = longestName
    self.longestRecord = longestRecord
    self.hasPages = hasPages
  }

  var isBroken: Bool {
    get { state.withLock { $0.isBroken } }
    set { state.withLock { $0.isBroken = newValue } }
  }
  /// The number of records that were requested.
  var reads: Int { state.withLock { $0.reads } }
  /// The largest number of names or changes in one call.
  var largestCall: Int { state.withLock { $0.largestCall } }
  var names: [String] { state.withLock { Array($0.records.keys) } }

  func lifetime(of name: String) -> Int? { state.withLock { $0.records[name]?.lifetime } }

  func interrupt(_ body: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0.interruption = body }
  }

  /// Stores bytes in another format than Strata's.
  func corrupt(_ name: String) {
    state.withLock { state in
      state.records[name] = (ServerRecord(bytes: Data([0xFF]), version: "foreign"), nil)
    }
  }

  private func working<R: Sendable>(_ count: Int, _ body: (inout State) throws -> R) throws -> R {
    try state.withLock { state in
      if state.isBroken { throw Broken() }
      state.largestCall = max(state.largestCall, count)
      return try body(&state)
    }
  }

  func read(_ names: [String]) async throws -> [ServerRecord?] {
    await Task.yield()
    return try working(names.count) { state in
      state.reads += names.count
      return names.map { state.records[$0]?.record }
    }
  }

  func write(_ changes: [ServerChange]) async throws -> [Bool] {
    await Task.yield()
    if changes.contains(where: { $0.condition != nil }) {
      let interruption = state.withLock { state in
        defer { state.interruption = nil }
        return state.interruption
      }
      try await interruption?()
    }
    return try working(changes.count) { state in
      changes.map { change in
        precondition(change.name.utf8.count <= longestName, "a name is longer than the server takes")
        let seen = state.records[change.name]?.record
        switch change.condition {
        case nil: break
        case .absent: if seen != nil { return false }
        case .version(let version): if seen?.version != version { return false }
        }
        state.lastVersion += 1
        let version = "\(state.lastVersion)"
        state.records[change.name] = change.record.map {
          (ServerRecord(bytes: $0, version: version), change.lifetime)
        }
        return true
      }
    }
  }

  func names(beginning prefix: String, after cursor: KeyCursor?) async throws -> KeyPage<ServerName> {
    await Task.yield()
    let last: String? = try cursor?.position()
    return try working(0) { state in
      let names = state.records.keys.filter { name in name.hasPrefix(prefix) && last.map { $0 < name } ?? true
      }
      .sorted()
      // At most twenty pages per listing, since each page sorts all names.
      let page = names.prefix(hasPages ? max(7, state.records.count / 20) : .max).map {
        ServerName($0, mayExpire: state.records[$0]?.lifetime != nil)
      }
      return KeyPage(keys: page, next: page.count < names.count ? page.last.map { KeyCursor($0.text) } : nil)
    }
  }
}

typealias RemoteStorage = ServerStorage<String, MemoryServer>
