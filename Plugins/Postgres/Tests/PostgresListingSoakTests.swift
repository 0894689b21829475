#if os(Linux)
  import StrataPostgres
  import TestSupport
  import Testing

  /// A million keys in `make soak`; a smaller share in `make test`.
  @Suite(.timeLimit(.minutes(Soak.rounds(2, soak: 30)))) struct PostgresListingSoakTests {
    @Test func aTableIsListedInLittleMemory() async throws {
      try await expectListingInLittleMemory(PostgresServer.shared.value.store())
    }
  }
#endif
