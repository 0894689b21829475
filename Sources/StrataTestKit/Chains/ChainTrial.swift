#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A check of one promise of a chain, in its own folder.
struct ChainTrial: Sendable {
  let check: ChainCheck
  let subject: ChainSubject
  let folder: URL
  let isSecond: Bool
  let time = ManualClock()
  /// The values that a loading chain loads.
  let origin = Shared<[String: ChainRecord]>([:])

  /// Creates a check in a new folder.
  init(of check: ChainCheck, on subject: ChainSubject) throws {
    let temporary = FileManager.default.temporaryDirectory
    let folder = temporary.appending(path: "strata-kit-\(UUID().uuidString)")
    self.init(of: check, on: subject, in: folder, isSecond: false)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Creates a check in an existing folder, which a second process shares.
  init(of check: ChainCheck, on subject: ChainSubject, in folder: URL, isSecond: Bool) {
    (self.check, self.subject, self.folder, self.isSecond) = (check, subject, folder, isSecond)
  }

  /// The file with the output of second processes.
  var log: URL { folder.deletingLastPathComponent().appending(path: "\(folder.lastPathComponent).log") }

  func cleanUp() {
    for url in [folder, log] where FileManager.default.fileExists(atPath: url.path) {
      do { try FileManager.default.removeItem(at: url) } catch { print("cannot remove \(url): \(error)") }
    }
  }

  func run() async throws {
    switch check.promise {
    case .atomicChanges: try await atomicChanges()
    case .remembering: try await remembering()
    case .failures: try await failures()
    case .promotion: try await promotion()
    case .expiry: try await expiry()
    case .observers: try await observers()
    case .keys: try await keys()
    case .types: try await types()
    case .streams: try await streams()
    }
  }

  /// Builds the chain over its back.
  func open(_ switches: Switches? = nil) async throws -> TestedChain {
    try await subject.open(tiers(switches))
  }

  /// Builds another chain over the back of a chain, which has nothing else in common with it.
  func openBeside(_ switches: Switches) async throws -> TestedChain {
    guard let back = switches.back.value else {
      throw CannotCheck("\(subject.name) does not pass its back through `tiers.back`")
    }
    return try await subject.open(tiers(nil, own: "beside \(UUID().uuidString)", over: back))
  }

  private func tiers(
    _ switches: Switches?, own: String? = nil, over back: (any StorageAware<String, Data>)? = nil
  ) -> ChainTiers {
    ChainTiers(
      url: folder, ownURL: folder.appending(path: own ?? (isSecond ? "own of the second" : "own")),
      clock: time.clock, origin: origin, switches: switches, shared: back)
  }

  /// Calls `body` with a chain whose tiers fail one after the other, in each way. Each time the chain is new.
  func withFailures(
    _ failures: Set<TierState.Failure> = Set(TierState.Failure.allCases),
    _ body: (_ chain: TestedChain, _ failing: FailingTier) async throws -> Void
  ) async throws {
    let probe = Switches()
    _ = try await open(probe)
    for (position, _) in probe.tiers {
      for failure in TierState.Failure.all(of: position) where failures.contains(failure) {
        let switches = Switches()
        let chain = try await open(switches)
        let tier = FailingTier(
          state: switches.state(of: position), failure: failure, position: position, switches: switches)
        try await chain.records.removeAll()
        origin.change { $0 = [:] }
        try await body(chain, tier)
      }
    }
  }

  /// Throws `BrokenChain` unless the condition holds.
  func expect(_ condition: Bool, _ explanation: @autoclosure () -> String) throws {
    if !condition { throw BrokenChain(explanation: explanation()) }
  }

  /// Reads a key in every way. Throws `BrokenChain` unless each way gives one of the expected values.
  func expect(
    _ expected: ChainRecord?..., at key: String, in chain: TestedChain, _ circumstances: String
  ) async throws {
    let store = chain.records
    func check(_ found: ChainRecord?, _ way: String) throws {
      try expect(
        expected.contains(found),
        "\(circumstances), \(way) gives \(shown(found)) for \(shown(key)), and not "
          + expected.map(shown).joined(separator: " or "))
    }
    let first = try await store.objectIfPresent(forKey: key)
    try check(first, "objectIfPresent")
    // Another read may follow another failure, but no other change.
    let second: ChainRecord?
    do { second = try await store.object(forKey: key) } catch StorageError.notFound { second = nil }
    try check(second, "object")
    let many = try await store.entries(forKeys: [key])[key]
    try check(many.liveObject(by: store.clock), "entries(forKeys:)")
    try expect(
      first == second, "\(circumstances), two reads of \(shown(key)) give \(shown(first)), \(shown(second))")
    let exists = try await store.objectExists(forKey: key)
    try expect(
      exists == (first != nil),
      "\(circumstances), objectExists gives \(exists) for \(shown(key)), whose value is \(shown(first))")
  }

  /// Drops the front's copies, so that the next reads reach the tiers behind it.
  func forget(_ keys: [String], in chain: TestedChain) async throws {
    guard chain.hasFront else { return }
    for key in keys { try await chain.records.removeInMemoryObject(forKey: key) }
  }

  /// Waits for a condition, for some seconds.
  func waitUntil(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + Effort.announcementLimit
    while try await !condition(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// A tier that a check makes fail.
struct FailingTier: CustomStringConvertible {
  let state: TierState
  let failure: TierState.Failure
  let position: TierPosition
  let switches: Switches

  var description: String { "the \(position.rawValue) fails (\(failure.rawValue))" }

  /// Calls `body` while the tier fails.
  func during<R>(_ body: () async throws -> R) async throws -> R {
    state.fail(failure)
    defer { state.fail(nil) }
    return try await body()
  }
}

/// Returns a value in a form for messages.
func shown(_ record: ChainRecord?) -> String { record.map { "\($0.text) \($0.number)" } ?? "nothing" }
