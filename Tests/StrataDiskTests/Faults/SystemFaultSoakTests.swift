#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Faults of the system below the store: each round at another call, until the scenario ends before that call. Every
  /// run chooses its rounds by `Soak.seed`; `make soak` runs all.
  ///
  /// After each round, three stores must hold every acknowledged entry byte for byte. These are the store in which the
  /// fault occurred, another one that was open meanwhile, and a newly opened one. An interrupted change is there whole
  /// or not at all. `verify()` must find nothing, and no file or descriptor may be left. The program
  /// `Tests/DiskFaultRunner` checks this.
  @Suite(
    .timeLimit(.minutes(Soak.rounds(10, soak: 240))),
    .enabled(if: FaultRunner.isAvailable, "with a sanitizer, calls of the system cannot be made to fail"))
  struct SystemFaultSoakTests {
    private static let layouts = ["automatic", "files", "power"]
    private static let space = ["compaction", "limited", "limited, large values"]
    private static let streams = ["streams", "streams of files", "streams with power", "limited streams"]
    private static let opening = [
      "recovery", "recovery without a control file", "damage", "repair", "taking over",
    ]
    private static let all = layouts + space + opening

    /// Runs each scenario with each fault, as many at once as there are processors.
    ///
    /// - Parameters:
    ///   - stride: Runs every `stride`-th round; in `make soak`, all.
    ///   - least: The minimum number of rounds. Fewer rounds mean that the fault no longer occurs.
    private func expect(_ scenarios: [String], _ faults: [String], stride: Int, least: Int = 0) async throws {
      let runs = scenarios.flatMap { scenario in faults.map { (scenario, $0) } }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, (scenario, fault)) in runs.enumerated() {
          if number >= ProcessInfo.processInfo.activeProcessorCount { try await group.next() }
          group.addTask {
            let result = try await FaultRunner.run(scenario, fault, stride: stride)
            let what: Comment = "\(scenario), \(fault), seed \(Soak.seed)"
            #expect(result.violations == [], what)
            #expect(result.rounds >= least, "\(what): met \(result.rounds) times")
          }
        }
        try await group.waitForAll()
      }
    }

    /// `kill -9` before every call that changes anything, and before every store to the page that processes share.
    @Test func killAtEveryStep() async throws {
      try await expect(Self.layouts + Self.opening, ["kill"], stride: 11, least: 2)
      try await expect(Self.space, ["kill"], stride: 29, least: 2)
    }

    /// Values that come a part at a time, and are written by several threads.
    @Test(arguments: [
      "kill", "kill halfway", "ENOSPC", "ENOSPC, for good", "EIO on read", "EIO on write", "EIO on sync",
      "EIO on rename", "EMFILE", "EINTR", "short",
    ])
    func streams(_ fault: String) async throws {
      try await expect(Self.streams, [fault], stride: 61)
    }

    @Test func killInTheMiddleOfAWrite() async throws {
      try await expect(Self.layouts + Self.space, ["kill halfway"], stride: 11)
    }

    @Test func aFullDisk() async throws {
      try await expect(Self.all, ["ENOSPC", "ENOSPC, for good"], stride: 47)
    }

    @Test func readsThatFail() async throws {
      try await expect(Self.all, ["EIO on read", "EIO on read, for good"], stride: 149)
    }

    @Test func writesThatFail() async throws {
      try await expect(Self.layouts + Self.space, ["EIO on write", "EIO on write, for good"], stride: 37)
    }

    @Test func syncsThatFail() async throws {
      try await expect(["power"], ["EIO on sync", "EIO on sync, for good"], stride: 7, least: 2)
    }

    @Test func renamesAndRemovalsThatFail() async throws {
      try await expect(
        Self.layouts + Self.space + ["taking over"], ["EIO on rename", "EIO on rename, for good"], stride: 13)
    }

    @Test func tooManyOpenFiles() async throws {
      try await expect(Self.all, ["EMFILE", "EMFILE, for good"], stride: 43)
    }

    /// A file that cannot be opened is an error, and not treated as missing.
    @Test func tooManyOpenFilesForMoreSegmentsThanAreKeptOpen() async throws {
      try await expect(["repair of many segments"], ["EMFILE"], stride: 43, least: 3)
    }

    @Test func noMemoryAndNoLocks() async throws {
      try await expect(
        ["automatic"], ["ENOMEM", "ENOMEM, for good", "ENOLCK", "ENOLCK, for good"], stride: 2)
    }

    /// Interruptions and short counts have no visible effect.
    @Test func interruptionsAndShortCounts() async throws {
      try await expect(Self.all, ["EINTR", "short", "short, for good"], stride: 173)
    }

    /// The system's own limit on the length of files (`RLIMIT_FSIZE`), not a simulated one: writes fail, or a signal
    /// kills the process.
    @Test func aLimitToTheLengthOfFiles() async throws {
      try await expect(["automatic", "files"], ["file size", "killed by file size"], stride: 12, least: 2)
    }

    /// With `.power` all bytes are synced when a call returns, with `.process` none are, and threads share syncs.
    @Test func durability() async throws {
      let result = try await FaultRunner.run("syncs")
      #expect(result.lines == [])
      #expect(result.end == .exit(0))
    }
  }
#endif
