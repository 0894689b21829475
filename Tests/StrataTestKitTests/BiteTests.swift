import StrataTestKit
import TestSupport
import Testing

/// The kit rejects stores that break a promise, says which one and why, and rejects nothing else.
@Suite("The kit bites", .endsInTime) struct BiteTests {
  @Test("a faulty store is rejected for its fault", arguments: Fault.all)
  func rejects(_ fault: Fault) async throws {
    // Some faults are of large numbers.
    let verdict = try await Effort.$current.withValue(.full) {
      try await fault.promise.verdict(on: fault.subject)
    }
    guard case .broken(let broken) = verdict else {
      Issue.record("\(fault.name): \(verdict)")
      return
    }
    #expect(broken.promise == fault.promise)
    #expect(broken.explanation.contains(fault.reason), "\(broken.explanation)")
  }

  @Test("the store without the fault is not", arguments: Contract.allCases)
  func accepts(_ promise: Contract) async throws {
    let verdict = try await promise.verdict(on: Fault.good(promise))
    guard case .kept = verdict else {
      Issue.record("\(verdict)")
      return
    }
  }

  @Test("every promise is broken by some fault")
  func covers() {
    #expect(Set(Fault.all.map(\.promise)) == Set(Contract.allCases))
  }
}
