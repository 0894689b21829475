import Foundation
import Strata
import StrataTestKit
import Testing

@Suite("Stores keep the contract") struct ContractTests {
  @Test(arguments: Contract.allCases)
  func memory(_ promise: Contract) async throws {
    try await promise.check(
      Subject("MemoryStorage", except: .ofPersistence.union([.atomicBatches, .sortedKeys])) { place in
        MemoryStorage<String, Data>(config: MemoryConfig(expiry: place.expiry, clock: place.clock))
      })
  }

  @Test(arguments: Contract.allCases)
  func disk(_ promise: Contract) async throws {
    try await promise.check(
      Subject("DiskStorage", except: [.atomicBatches, .sortedKeys, .severalHandles, .severalProcesses]) {
        place in
        try DiskStorage<String>(
          config: DiskConfig(name: "disk", expiry: place.expiry, directory: place.url, clock: place.clock))
      })
  }
}
