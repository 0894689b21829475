@testable import StrataTestKit
import TestSupport
import Testing

/// The kit rejects chains with a faulty link, and names the reason.
@Suite("The kit rejects faulty links", .endsInTime) struct ChainBiteTests {
  @Test("a faulty link is rejected for its fault", arguments: Soak.sample(ChainFault.all, oneIn: 3))
  func rejects(_ fault: ChainFault) async throws {
    // Some faults are races, which a single run may miss.
    var verdict = try await self.verdict(on: fault)
    for _ in 0..<4 {
      guard case .kept = verdict else { break }
      verdict = try await self.verdict(on: fault)
    }
    guard case .broken(let explanation) = verdict else {
      Issue.record("\(fault.name): \(verdict)")
      return
    }
    #expect(explanation.contains(fault.reason), "\(explanation)")
  }

  private func verdict(on fault: ChainFault) async throws -> ChainVerdict {
    try await Effort.$announcementLimit.withValue(.milliseconds(200)) {
      try await fault.check.verdict(on: fault.subject)
    }
  }

  @Test("every promise is broken by some fault in each circumstance")
  func covers() {
    let covered = Set(ChainFault.all.map(\.check))
    // A disk does not report the changes of other processes.
    let uncovered = ChainCheck(promise: .observers, circumstance: .twoProcesses)
    #expect(ChainCheck.allCases.filter { !covered.contains($0) } == [uncovered])
  }
}
