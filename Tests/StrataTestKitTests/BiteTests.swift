import StrataTestKit
import TestSupport
import Testing

/// The kit rejects stores that violate a contract, names the contract and the reason, and rejects no others.
@Suite("The kit rejects faulty stores", .endsInTime) struct BiteTests {
  @Test("a faulty store is rejected for its fault", arguments: Soak.sample(Fault.all, oneIn: 5))
  func rejects(_ fault: Fault) async throws {
    var verdict = try await verdict(on: fault, Effort.current)
    // Some faults appear only with large numbers, and some are races, which a single run on a busy machine may miss.
    for _ in 1..<5 {
      guard case .kept = verdict else { break }
      verdict = try await self.verdict(on: fault, .full)
    }
    guard case .broken(let broken) = verdict else {
      Issue.record("\(fault.name): \(verdict)")
      return
    }
    #expect(broken.promise == fault.promise)
    #expect(broken.explanation.contains(fault.reason), "\(broken.explanation)")
  }

  @Test(
    "a fault without pauses is rejected by nearly every brief check",
    arguments: Soak.sample(Fault.all.filter(\.isBrief), oneIn: 5))
  func rejectsBriefly(_ fault: Fault) async throws {
    // The races of these faults are found on any machine, but one check of many may miss a race.
    var misses: [Verdict] = []
    for _ in 0..<5 {
      let verdict = try await verdict(on: fault, .brief)
      if case .broken(let broken) = verdict, broken.explanation.contains(fault.reason) { continue }
      misses.append(verdict)
    }
    #expect(misses.count < 2, "\(fault.name): \(misses)")
  }

  private func verdict(on fault: Fault, _ effort: Effort) async throws -> Verdict {
    try await Effort.$current.withValue(effort) {
      // An announcement that takes longer counts as missing.
      try await Effort.$announcementLimit.withValue(.milliseconds(200)) {
        try await fault.promise.verdict(on: fault.subject)
      }
    }
  }

  @Test("the store without the fault is not", arguments: Contract.brief(number: 3))
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
