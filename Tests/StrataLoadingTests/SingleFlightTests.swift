import Dispatch
import TestSupport
import Testing

@testable import StrataCore

@Suite("In-flight loads", .timeLimit(.minutes(5)), .endsInTime)
struct SingleFlightTests {
  typealias Loads = Flights<String, Int>

  struct Broken: Error {}

  let flights = Loads()

  /// Loads a value, or waits for the load of another.
  func load(_ key: String, _ body: @escaping @Sendable () async throws -> Int) async throws -> Int {
    while true {
      let flight: FlightID
      switch flights.enter(key) {
      case .lead(let own):
        flights.start(own, body)
        flight = own
      case .join(let other): flight = other
      }
      if case .landed(let result) = try await flights.wait(for: flight) { return try result.get() }
    }
  }

  @Test("concurrent callers, tasks and threads, share one load", .timeLimit(.minutes(2)))
  func shared() async throws {
    let gate = Gate(holding: 1)
    let loads = Shared(0)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<500 {
        group.addTask {
          try await load("a") {
            await gate.pass()
            return loads.change {
              $0 += 1; return $0
            }
          }
        }
      }
      await gate.arrivals(1)
      for _ in 0..<20 {
        group.addTask {
          try await onThread {
            guard case .join(let flight) = flights.enter("a") else { throw Broken() }
            guard case .landed(let result) = try flights.block(for: flight) else { throw Broken() }
            return try result.get()
          }
        }
      }
      await until { flights.waiting == 520 }
      gate.open()
      for try await value in group { #expect(value == 1) }
    }
    #expect(loads.value == 1)
    #expect(flights.count == 0)
  }

  @Test("the error of a load reaches all waiting callers; the next caller loads again")
  func failure() async throws {
    let gate = Gate(holding: 1)
    let loads = Shared(0)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 {
        group.addTask {
          do {
            _ = try await load("a") {
              loads.change { $0 += 1 }
              await gate.pass()
              throw Broken()
            }
            return false
          } catch { return error is Broken }
        }
      }
      await until { flights.waiting == 50 }
      gate.open()
      for await isBroken in group { #expect(isBroken) }
    }
    #expect(loads.value == 1)
    #expect(try await load("a") { 2 } == 2)
  }

  @Test("the load is cancelled with its last caller, not with the first")
  func cancellation() async throws {
    let gate = Gate(holding: 1)
    let wasCancelled = Shared(false)
    let body: @Sendable () async throws -> Int = {
      await gate.pass()
      wasCancelled.change { $0 = Task.isCancelled }
      try Task.checkCancellation()
      return 1
    }
    let first = Task { try await load("a", body) }
    await gate.arrivals(1)
    let second = Task { try await load("a") { 2 } }
    await until { flights.waiting == 2 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(flights.isOpen("a"))
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(!flights.isOpen("a"), "nobody joins a load that is being cancelled")
    gate.open()
    await until { flights.count == 0 }
    #expect(wasCancelled.value)
  }

  @Test("a caller that was cancelled before it waits leaves at once")
  func cancelledEarly() async throws {
    let gate = Gate(holding: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await load("a") {
        await gate.pass()
        return 1
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    await until { flights.count == 0 }
  }

  @Test(
    "a change outdates the load: its result is not stored, and its end does not affect the next load (#625, #31420)"
  )
  func overtaken() async throws {
    let gate = Gate(holding: 1)
    let old = Task {
      try await load("a") {
        await gate.pass()
        return 1
      }
    }
    await gate.arrivals(1)
    guard case .join(let flight) = flights.enter("a") else { return #expect(Bool(false)) }
    flights.overtake("a")
    #expect(flights.isOvertaken(flight))
    let newGate = Gate(holding: 1)
    let new = Task {
      try await load("a") {
        await newGate.pass()
        return 2
      }
    }
    await newGate.arrivals(1)
    gate.open()
    #expect(try await old.value == 1)
    #expect(flights.isOpen("a"), "the old flight must not close the new one")
    newGate.open()
    #expect(try await new.value == 2)
    _ = try await flights.wait(for: flight)
    #expect(flights.count == 0)
  }

  @Test("a load that requests its own key throws, also through other keys and other caches")
  func circles() async throws {
    await #expect(throws: StorageError.deadlock) { try await load("a") { try await load("a") { 1 } } }
    let other = SingleFlightTests()
    await #expect(throws: StorageError.deadlock) {
      try await load("a") { try await other.load("b") { try await load("a") { 1 } } }
    }
    #expect(try await load("a") { try await load("b") { 1 } + 1 } == 2)
    #expect(flights.count == 0)
    #expect(other.flights.count == 0)
  }

  @Test("of two loads that need each other's keys, one throws")
  func crossed() async throws {
    let gates = [Gate(holding: 1), Gate(holding: 1)]
    let keys = ["a", "b"]
    let tasks = (0..<2).map { index in
      Task {
        try await load(keys[index]) {
          await gates[index].pass()
          return try await load(keys[1 - index]) { 0 } + 1
        }
      }
    }
    for gate in gates { await gate.arrivals(1) }
    for gate in gates { gate.open() }
    var failures = 0
    for task in tasks {
      do { _ = try await task.value } catch StorageError.deadlock { failures += 1 }
    }
    #expect(failures > 0)
    #expect(flights.count == 0)
  }

  @Test("a blocked thread throws instead of waiting for itself")
  func threads() async throws {
    try await onThread {
      guard case .lead(let flight) = flights.enter("a", waits: false) else { throw Broken() }
      #expect(throws: StorageError.deadlock) {
        try flights.lead(flight) {
          guard case .join(let own) = flights.enter("a") else { throw Broken() }
          guard case .landed(let result) = try flights.block(for: own) else { throw Broken() }
          return try result.get()
        }
      }
    }
    #expect(flights.count == 0)
  }

  @Test("if the first caller is cancelled, the others look up the store again")
  func takeover() async throws {
    let gate = Gate(holding: 1)
    let leader = Task {
      guard case .lead(let flight) = flights.enter("a", waits: false) else { throw Broken() }
      return try await flights.lead(flight) {
        await gate.pass()
        try Task.checkCancellation()
        return 1
      }
    }
    await gate.arrivals(1)
    let waiter = Task { try await load("a") { 2 } }
    await until { flights.waiting == 1 }
    leader.cancel()
    gate.open()
    #expect(try await waiter.value == 2)
    await #expect(throws: CancellationError.self) { try await leader.value }
  }

  @Test(
    "callers raise the priority of the load, which has the task-local values of its first caller (case 13)")
  func inheritance() async throws {
    let gate = Gate(holding: 1)
    let low = Task(priority: .background) {
      try await Local.$value.withValue(7) {
        try await load("a") {
          await gate.pass()
          // A caller counts as waiting before it raises the priority.
          await until { Task.currentPriority >= .high }
          return Local.value * 1000 + Int(Task.currentPriority.rawValue)
        }
      }
    }
    await gate.arrivals(1)
    let high = Task(priority: .high) { try await load("a") { 0 } }
    await until { flights.waiting == 2 }
    gate.open()
    #expect(try await high.value >= Int(TaskPriority.high.rawValue))
    #expect(try await low.value / 1000 == 7)
  }

  enum Local { @TaskLocal static var value = 0 }
}
