import StrataCore
import TestSupport

/// The origin of numbers that only grow, and what its readers may see: no read returns a lower number than a write or a
/// removal that ended before it began. It may return a lower one than another read: the origin has a number before the
/// old one is removed.
final class Numbers: Sendable {
  private struct State: Sendable {
    var last = 0
    /// The numbers that loads return.
    var origin: [String: Int] = [:]
    /// The least number that a read which begins now may return.
    var floors: [String: Int] = [:]
    /// What has been done, for the report of a fault.
    var writes: [String] = []
    var reads = 0
    var faults: [String] = []
  }

  private let state = Locked(State())

  var reads: Int { state.withLock { $0.reads } }
  var faults: [String] { state.withLock { $0.faults } }

  /// Loads the number of a key.
  func load(_ key: String) async -> Int {
    let number = state.withLock { $0.origin[key, default: 0] }
    for _ in 0..<Int.random(in: 0..<6) { await Task.yield() }
    return number
  }

  /// Writes a new number with `change`. With `inOrigin` the origin has it first, and `change` removes the old one.
  func write(
    _ keys: [String], _ name: String, inOrigin: Bool, _ change: (Int) async throws -> Void
  ) async throws {
    let number = state.withLock { state in
      state.last += 1
      state.writes.append("\(name) \(keys) \(state.last)")
      if inOrigin { for key in keys { state.origin[key] = state.last } }
      return state.last
    }
    try await change(number)
    state.withLock { state in
      for key in keys { state.floors[key] = max(number, state.floors[key, default: 0]) }
    }
  }

  /// Reads numbers with `read`, and checks them.
  func check(_ keys: [String], _ read: () async throws -> [String: Int]) async throws {
    let floors = state.withLock { $0.floors }
    let found = try await read()
    state.withLock { state in
      state.reads += 1
      for key in keys {
        let (number, floor) = (found[key, default: -1], floors[key, default: 0])
        if number < floor {
          state.faults.append("\(number) of \(key) in \(keys), after \(floor): \(state.writes.suffix(6))")
        }
      }
    }
  }
}
