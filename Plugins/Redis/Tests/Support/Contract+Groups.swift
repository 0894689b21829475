import StrataTestKit
import Testing

extension Contract {
  /// Checks that run at the same time, since most of their time is spent waiting: for an expiry, or for other
  /// processes.
  ///
  /// The checks in `withoutExpiry` begin on a server where nothing expires, from which batches are read in another way.
  private static let withoutExpiry: [Contract] = [
    .reading, .absence, .removing, .equalKeys, .batches, .parallelKeys, .linearizability, .bothWorlds,
    .severalHandles,
  ]
  private static let withExpiry: [Contract] = [
    .overwriting, .removingAll, .anyKey, .keys, .paging, .expiry, .pastExpiry, .shortExpiry, .ownExpiry,
    .sweeping, .changes, .entries, .conditions, .reopening,
  ]
  private static let withProcesses: [Contract] = [.updating, .severalProcesses, .survivingKill]

  /// Divides promises into groups that can be checked at the same time. Alone are checks that count resources of the
  /// process or store much, and the promises in `except`, whose test cases are cancelled.
  static func groups(of promises: [Contract], except: Set<Contract>) -> [[Contract]] {
    let groups = [withoutExpiry, withExpiry, withProcesses].map { group in
      promises.filter { group.contains($0) && !except.contains($0) }
    }
    let alone = promises.filter { promise in !groups.contains { $0.contains(promise) } }
    return groups.filter { !$0.isEmpty } + alone.map { [$0] }
  }
}

extension [Contract] {
  /// Checks all promises at the same time, and records an issue for each that the store does not keep.
  func check(_ subject: Subject) async throws {
    if count == 1 { return try await self[0].check(subject) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for promise in self {
        group.addTask {
          switch try await promise.verdict(on: subject) {
          case .kept: break
          case .broken(let broken): Issue.record("\(subject.name): \(broken)")
          // Cancelling the test case, as for a single promise, would end the other checks of the group.
          case .notPromised: print("⊘ \(subject.name) does not promise \(promise): skipped.")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
