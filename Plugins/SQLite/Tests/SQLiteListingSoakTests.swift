#if os(Linux)
  import StrataSQLite
  import TestSupport
  import Testing

  /// A million keys in `make soak`; a smaller share in `make test`.
  @Suite(.timeLimit(.minutes(Soak.rounds(2, soak: 30)))) struct SQLiteListingSoakTests {
    @Test func aMillionKeysAreListedInLittleMemory() async throws {
      try await expectListingInLittleMemory(TestFile().open())
    }
  }
#endif
