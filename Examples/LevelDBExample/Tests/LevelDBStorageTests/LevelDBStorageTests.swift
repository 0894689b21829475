import LevelDBStorage
import StrataTestKit
import Testing

@Test(arguments: Contract.allCases)
func levelDBKeeps(_ promise: Contract) async throws {
  let subject = Subject("LevelDBStorage", except: [.severalProcesses]) { place in
    try LevelDBStorage<String>(folder: place.path, expiry: place.expiry, clock: place.clock) {
      try LevelDBEngine(path: $0)
    }
  }
  try await promise.check(subject)
}
