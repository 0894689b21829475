import Synchronization

/// The identity of one in-flight load, unique in the process.
@usableFromInline
package struct FlightID: Hashable, Sendable {
  private let number: Int
  private static let last = Atomic(0)

  package init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}

/// The load that the current code belongs to, and the wait-for graph of loads.
///
/// A loader's code, including the functions it calls and the tasks it starts, carries the identity of its load as a
/// task-local value. If such code would wait for a load that waits, directly or through others, for its own load, it
/// throws `.deadlock` instead of waiting for ever.
enum FlightScope {
  @TaskLocal static var current: FlightID?

  /// For each load, the loads that code inside it waits for, and how many times.
  private static let waits = Locked<[FlightID: [FlightID: Int]]>([:])

  /// Records that code inside the current load waits for another. Returns `false`, and records nothing, if that would
  /// close a cycle.
  static func enterWait(of outer: FlightID, for flight: FlightID) -> Bool {
    waits.withLock { waits in
      if reaches(outer, from: flight, in: waits) { return false }
      waits[outer, default: [:]][flight, default: 0] += 1
      return true
    }
  }

  static func leaveWait(of outer: FlightID, for flight: FlightID) {
    waits.withLock { waits in
      guard let count = waits[outer]?[flight] else { return }
      waits[outer]?[flight] = count > 1 ? count - 1 : nil
      if waits[outer]?.isEmpty == true { waits[outer] = nil }
    }
  }

  private static func reaches(
    _ goal: FlightID, from start: FlightID, in waits: [FlightID: [FlightID: Int]]
  ) -> Bool {
    var seen: Set<FlightID> = []
    var next = [start]
    while let flight = next.popLast() {
      if flight == goal { return true }
      guard seen.insert(flight).inserted, let others = waits[flight] else { continue }
      next += others.keys
    }
    return false
  }
}
