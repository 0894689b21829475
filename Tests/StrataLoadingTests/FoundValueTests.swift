import TestSupport
import Testing

@testable import StrataCore

/// A load that finds a stored value before it loads, and the callers that have joined it.
@Suite("In-flight loads that find a value", .timeLimit(.minutes(5)), .endsInTime)
struct FoundValueTests {
  struct Broken: Error {}

  let flights = Flights<String, Int>()

  @Test("a stored value that the first caller finds is only its own: others may have begun after its removal")
  func found() async throws {
    let gate = Gate(holding: 1)
    let first = Task {
      try await flights.share("a") {
        await gate.pass()
        return 1
      } load: {
        throw Broken()
      } store: { _, _ in
      }
    }
    await gate.arrivals(1)
    // The value is removed now. A caller that begins afterwards joins, and finds nothing.
    let second = Task {
      try await flights.share("a") {
        nil
      } load: {
        await Task.yield()
        return 2
      } store: { _, _ in
      }
    }
    await until { flights.waiting == 1 }
    gate.open()
    #expect(try await first.value == 1)
    #expect(try await second.value == 2)
  }

  @Test("nor do threads share it")
  func foundByThread() async throws {
    let gate = ThreadGate()
    let first = Task {
      try await onThread { [flights] in
        try flights.share("a") {
          gate.pass()
          return 1
        } load: {
          throw Broken()
        } store: { _, _ in
        }
      }
    }
    await gate.arrival()
    let second = Task {
      try await onThread { [flights] in
        try flights.share("a", read: { nil }, load: { 2 }, store: { _, _ in })
      }
    }
    await until { flights.waiting == 1 }
    gate.open()
    #expect(try await first.value == 1)
    #expect(try await second.value == 2)
  }
}
