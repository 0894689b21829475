import Foundation
import Strata
import StrataLZ4
import StrataTestKit
import TestSupport
import Testing

@Suite("A chain that is compressed with LZ4 keeps the contract", .endsInTime)
struct LZ4ContractTests {
  @Test("over disk", arguments: Contract.sampled(oneIn: 3))
  func keeps(_ promise: Contract) async throws {
    let subject = Subject("LZ4 over disk", except: [.sortedKeys]) { place in
      let disk = DiskConfig(name: "entries", expiry: place.expiry, directory: place.url, clock: place.clock)
      return try Storage(back: DiskStorage<String>(config: disk), transformer: .data.lz4())
    }
    try await promise.check(subject)
  }
}
