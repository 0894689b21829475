#if os(Linux)
  import Foundation
  import StrataMemory
  import TestSupport
  import Testing

  /// A million keys in `make soak`; a smaller share in `make test`.
  @Suite(.timeLimit(.minutes(Soak.rounds(2, soak: 30)))) struct ListingSoakTests {
    @Test func itIsListedInLittleMemory() async throws {
      try await expectListingInLittleMemory(MemoryStorage<String, Data>())
    }
  }
#endif
