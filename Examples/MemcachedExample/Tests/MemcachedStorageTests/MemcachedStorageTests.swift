import Foundation
import MemcachedStorage
import StrataEngines
import StrataParts
import StrataTestKit
import Testing

/// A batch is not atomic, keys are not sorted, and a server keeps no files. `lostWrites` is not promised either: the
/// store cannot end a lost connection at the server.
private let except: Set<Contract> = [.atomicBatches, .sortedKeys, .fullDisk, .readOnlyFolder]

@Suite(.serialized) struct MemcachedStorageTests {
  @Test(arguments: Contract.allCases)
  func memcachedKeeps(_ promise: Contract) async throws {
    try await promise.check(subject(hugeValueSize: 1 << 19) { $0 })
  }

  /// The server stores records of up to a megabyte, and values of any size as several of them.
  @Test(arguments: Contract.allCases)
  func memcachedInPartsKeeps(_ promise: Contract) async throws {
    try await promise.check(subject(hugeValueSize: 64 << 20) { $0.inParts() })
  }

  private func subject(
    hugeValueSize: Int,
    _ store: @escaping @Sendable (MemcachedStorage<String>) -> any StorageAware<String, Data>
  ) throws -> Subject {
    let port = try LocalServer.port.get()
    return Subject(
      "MemcachedStorage", except: except, hugeValueSize: hugeValueSize, updatesAcrossProcesses: true,
      damage: { place, key in
        let server = MemcachedServer(port: port)
        let names = try await server.names(beginning: "", after: nil).keys.map(\.text)
        let name = names.first { $0.contains(place.url.lastPathComponent) && $0.hasSuffix("~~\(key)") }
        _ = try await server.write([ServerChange(name: name ?? "", record: Data([0xFF]))])
      }
    ) { place in
      store(
        try MemcachedStorage<String>(
          MemcachedServer(port: port), namespace: String(place.path.suffix(100)), expiry: place.expiry,
          clock: place.clock))
    }
  }

  @Test func theErrorForAMissingServerNamesIt() async throws {
    // No server listens at the port of the discard service.
    let store = try MemcachedStorage<String>(MemcachedServer(port: 9), namespace: "app")
    let error = await #expect(throws: StorageError.self) { try await store.object(forKey: "k") }
    #expect(error == .backendFailed && error?.place == "127.0.0.1:9, namespace app")
  }
}
