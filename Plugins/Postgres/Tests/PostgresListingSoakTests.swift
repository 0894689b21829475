#if os(Linux)
  import StrataPostgres
  import TestSupport
  import Testing

  /// Pages over a million keys in `make soak`, and over fewer in `make test`.
  @Suite(.timeLimit(.minutes(Soak.rounds(2, soak: 30)))) struct PostgresListingSoakTests {
    @Test func aMillionKeysAreListedInLittleMemory() async throws {
      try await expectListingInLittleMemory(PostgresServer.shared.value.store())
    }
  }
#endif
