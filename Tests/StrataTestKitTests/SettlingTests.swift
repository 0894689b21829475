import Strata
@testable import StrataTestKit
import TestSupport
import Testing

@Suite("A server that lags behind", .endsInTime) struct SettlingTests {
  @Test("is awaited after each kill") func settling() async throws {
    let calls = Shared(0)
    let subject = Subject("settles") { place in
      try DiskStorage<String>(config: DiskConfig(name: "entries", directory: place.url))
    }
    .settling { calls.change { $0 += 1 } }
    try await Contract.survivingKill.check(subject)
    #expect(calls.value == Effort.current.killFolders * Effort.current.kills)
  }
}
