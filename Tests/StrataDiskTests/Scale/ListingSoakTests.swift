#if os(Linux)
  import StrataDisk
  import TestSupport
  import Testing

  /// Pages over a million keys in `make soak`, and over fewer in `make test`.
  @Suite(.timeLimit(.minutes(Soak.rounds(2, soak: 30)))) struct ListingSoakTests {
    @Test(arguments: [DiskLayout.automatic, .packed]) func aLogIsListedInLittleMemory(_ layout: DiskLayout)
      async throws
    {
      let folder = try TestFolder(layout)
      try await expectListingInLittleMemory(folder.open())
    }

    @Test func filesAreListedInLittleMemory() async throws {
      let folder = try TestFolder(.files)
      try await expectListingInLittleMemory(folder.open(), Soak.rounds(1000, soak: 100_000))
    }
  }
#endif
