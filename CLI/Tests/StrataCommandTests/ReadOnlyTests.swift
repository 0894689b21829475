import Foundation
import StrataCore
import Testing

@testable import StrataCommand

/// Tests two requirements of the command on each backend: reading without writing, and batches with an expiry per
/// entry.
@Suite struct ReadOnlyTests {
  private func request(_ access: OpenRequest.Access) -> OpenRequest {
    OpenRequest(
      access: access, secrets: Secrets(keyFile: nil, passwordFile: nil, environment: [:], mayAsk: false))
  }

  private func address(_ backend: Backend, in strata: Strata) throws -> String {
    let address = try backend.address("store", in: strata)
    let scheme = address.prefix { $0 != ":" }
    return "\(scheme):\(strata.place.path)/\(address.dropFirst(scheme.count + 1))"
  }

  @Test(arguments: Backend.local) func aStoreOpenedForReadingRefusesWrites(_ backend: Backend) async throws {
    try await inFolder { strata in
      let address = try address(backend, in: strata)
      #expect(try strata("put", address, "a", input: "1").status == 0)
      let store = try Backends.open(address, request(.read)).storage
      let data = Data("2".utf8)
      await #expect(throws: StorageError.readOnly) {
        try await store.setObject(data, forKey: "a", expiry: nil)
      }
      await #expect(throws: StorageError.readOnly) { try await store.setObjects(["a": data], expiry: nil) }
      await #expect(throws: StorageError.readOnly) { try await store.setEntries(["b": Entry(object: data)]) }
      await #expect(throws: StorageError.readOnly) { try await store.removeObject(forKey: "a") }
      await #expect(throws: StorageError.readOnly) { try await store.removeObjects(forKeys: ["a"]) }
      await #expect(throws: StorageError.readOnly) { try await store.removeAll() }
      #expect(try await store.entryIfPresent(forKey: "a")?.object == Data("1".utf8))
      #expect(try await store.keys() == ["a"])
    }
  }

  @Test(arguments: Backend.local) func batchesStoreAnExpiryPerEntry(_ backend: Backend)
    async throws
  {
    try await inFolder { strata in
      let store = try Backends.open(address(backend, in: strata), request(.create)).storage
      var entries: [String: Entry<Data>] = [:]
      for number in 0..<50 {
        let date = Date(timeIntervalSince1970: 4_000_000_000 + Double(number))
        entries["key \(number)"] = Entry(
          object: Data([UInt8(number)]), expiry: number % 3 == 0 ? .never : .date(date))
      }
      try await store.setEntries(entries)
      let found = try await store.entries(forKeys: Array(entries.keys))
      #expect(found.count == entries.count)
      for (key, entry) in entries { #expect(found[key]?.isSame(as: entry) == true, "\(key)") }
      try await store.setEntries([:])
      #expect(try await store.keys().count == 50)
    }
  }
}
