#if os(Linux)
  import StrataTestKit
  import TestSupport
  import Testing

  /// Random rounds of `Tests/DiskFaultRunner/Soak`: some in every test run, hundreds in `make soak`.
  @Suite(
    .serialized, .timeLimit(.minutes(60)),
    .enabled(if: FaultRunner.isAvailable, "with a sanitizer, calls of the system cannot be made to fail"))
  struct DiskSoakTests {
    @Test(arguments: ["kills", "processes"]) func nothingWrittenIsLost(_ kind: String) async throws {
      let rounds = Soak.rounds(kind == "kills" ? 10 : 6, soak: 600)
      let (end, lines) = try await FaultRunner.run(kind, "\(Soak.seed)", "\(rounds)")
      #expect(lines == [], "seed \(Soak.seed)")
      #expect(end == .exit(0), "seed \(Soak.seed)")
    }

    @Test func damageIsNeverTakenForAValue() throws {
      for round in 0..<Soak.rounds(12, soak: 600) {
        var damage = try DamageSoak(seed: Soak.seed &+ UInt64(round))
        try damage.run()
      }
    }
  }
#endif
