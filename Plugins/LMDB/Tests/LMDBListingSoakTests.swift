#if os(Linux)
  import StrataLMDB
  import TestSupport
  import Testing

  /// A million keys in `make soak`; a smaller share in `make test`.
  @Suite(.timeLimit(.minutes(Soak.rounds(2, soak: 30)))) struct LMDBListingSoakTests {
    private let folder = LMDBFolder()

    @Test func aMillionKeysAreListedInLittleMemory() async throws {
      try await expectListingInLittleMemory(folder.open())
    }
  }
#endif
