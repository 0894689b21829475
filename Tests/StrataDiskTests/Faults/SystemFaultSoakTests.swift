#if os(Linux)
  import TestSupport
  import Testing

  /// Faults of the system below the store: each round at another call, until the scenario ends before that call.
  ///
  /// After each round, three stores must hold every acknowledged entry byte for byte. These are the store in which the
  /// fault occurred, another one that was open meanwhile, and a newly opened one. An interrupted change is there whole
  /// or not at all. `verify()` must find nothing, and no file or descriptor may be left. The program
  /// `Tests/DiskFaultRunner` checks this.
  @Suite(
    .timeLimit(.minutes(Soak.rounds(10, soak: 60))),
    .enabled(if: FaultRunner.isAvailable, "with a sanitizer, calls of the system cannot be made to fail"))
  struct SystemFaultSoakTests {
    private static let layouts = ["automatic", "files", "power"]
    private static let space = ["compaction", "limited", "limited, large values"]
    private static let opening = [
      "recovery", "recovery without a control file", "damage", "repair", "taking over",
    ]
    private static let all = layouts + space + opening

    /// - Parameters:
    ///   - stride: Runs every `stride`-th round; in `make soak`, all.
    ///   - least: The minimum number of rounds. Fewer rounds mean that the fault no longer occurs.
    private func expect(_ scenario: String, _ fault: String, stride: Int, least: Int = 0) async throws {
      let result = try await FaultRunner.run(scenario, fault, stride: stride)
      #expect(result.violations == [])
      #expect(result.rounds >= least, "\(fault) was met \(result.rounds) times")
    }

    /// `kill -9` before every call that changes anything, and before every store to the page that processes share.
    @Test(arguments: all)
    func killAtEveryStep(_ scenario: String) async throws {
      try await expect(scenario, "kill", stride: Self.space.contains(scenario) ? 19 : 7, least: 4)
    }

    @Test(arguments: layouts + space)
    func killInTheMiddleOfAWrite(_ scenario: String) async throws {
      try await expect(scenario, "kill halfway", stride: 5)
    }

    @Test(arguments: all, ["ENOSPC", "ENOSPC, for good"])
    func aFullDisk(_ scenario: String, _ fault: String) async throws {
      try await expect(scenario, fault, stride: 23)
    }

    @Test(arguments: all, ["EIO on read", "EIO on read, for good"])
    func readsThatFail(_ scenario: String, _ fault: String) async throws {
      try await expect(scenario, fault, stride: 83)
    }

    @Test(arguments: layouts + space, ["EIO on write", "EIO on write, for good"])
    func writesThatFail(_ scenario: String, _ fault: String) async throws {
      try await expect(scenario, fault, stride: 17)
    }

    @Test(arguments: ["EIO on sync", "EIO on sync, for good"])
    func syncsThatFail(_ fault: String) async throws { try await expect("power", fault, stride: 5, least: 2) }

    @Test(arguments: layouts + space + ["taking over"], ["EIO on rename", "EIO on rename, for good"])
    func renamesAndRemovalsThatFail(_ scenario: String, _ fault: String) async throws {
      try await expect(scenario, fault, stride: 11)
    }

    @Test(arguments: all, ["EMFILE", "EMFILE, for good"])
    func tooManyOpenFiles(_ scenario: String, _ fault: String) async throws {
      try await expect(scenario, fault, stride: 19)
    }

    /// A file that cannot be opened is an error, and not treated as missing.
    @Test func tooManyOpenFilesForMoreSegmentsThanAreKeptOpen() async throws {
      try await expect("repair of many segments", "EMFILE", stride: 29, least: 5)
    }

    @Test(arguments: ["ENOMEM", "ENOMEM, for good", "ENOLCK", "ENOLCK, for good"])
    func noMemoryAndNoLocks(_ fault: String) async throws { try await expect("automatic", fault, stride: 1) }

    /// Interruptions and short counts have no visible effect.
    @Test(arguments: all, ["EINTR", "short", "short, for good"])
    func interruptionsAndShortCounts(_ scenario: String, _ fault: String) async throws {
      try await expect(scenario, fault, stride: 83)
    }

    /// The system's own limit on the length of files (`RLIMIT_FSIZE`), not a simulated one: writes fail, or a signal
    /// kills the process.
    @Test(arguments: ["automatic", "files"], ["file size", "killed by file size"])
    func aLimitToTheLengthOfFiles(_ scenario: String, _ fault: String) async throws {
      try await expect(scenario, fault, stride: 12, least: 2)
    }

    /// With `.power` all bytes are synced when a call returns, with `.process` none are, and threads share syncs.
    @Test func durability() async throws {
      let result = try await FaultRunner.run("syncs")
      #expect(result.lines == [])
      #expect(result.end == .exit(0))
    }
  }
#endif
