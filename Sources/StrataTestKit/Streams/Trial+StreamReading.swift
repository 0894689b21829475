#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  /// Reads a key a part at a time, twice. Throws `BrokenPromise` unless the parts are those of the value; `nil` stands
  /// for an absent one.
  func expectStream(
    _ value: MarkedValue?, at key: String, in store: Store, _ circumstances: String
  ) async throws {
    let bytes: StoredBytes
    do { bytes = try await store.read(forKey: key) } catch StorageError.notFound {
      return try expect(
        value == nil, "\(circumstances), read(forKey:) finds nothing at the key \(shown(key))")
    }
    guard let value else {
      throw broken("\(circumstances), read(forKey:) gives \(bytes.length) bytes for the key \(shown(key))")
    }
    try expect(
      bytes.length == value.count && bytes.range == 0..<value.count,
      "\(circumstances), read(forKey:) gives the range \(bytes.range) of \(bytes.length) bytes for the key "
        + "\(shown(key)), which holds \(value.count)")
    for time in ["", " the second time"] {
      let found = try await parts(of: bytes, at: key, "\(circumstances)\(time)")
      try expectNone(value.difference(of: found, in: 0..<value.count), key, "\(circumstances)\(time), read")
    }
  }

  /// Reads a value as a whole. Throws `BrokenPromise` unless it is the expected one.
  func expectWhole(_ value: MarkedValue, at key: String, in store: Store, _ circumstances: String)
    async throws
  {
    // Reading a large value in every possible way would take most of the time of a check.
    if value.count < 100_000 { return try await expect(value.data, at: key, in: store, circumstances) }
    let all = 0..<value.count
    let object = try await store.object(forKey: key)
    try expectNone(value.difference(of: object, in: all), key, "\(circumstances), object(forKey:)")
    let many = try await store.entries(forKeys: [key])[key]?.object ?? Data()
    try expectNone(value.difference(of: many, in: all), key, "\(circumstances), entries(forKeys:)")
  }

  /// Returns the parts together. Throws `BrokenPromise` if one of them is empty, or there are too many or too few.
  func parts(of bytes: StoredBytes, at key: String, _ circumstances: String) async throws -> Data {
    var data = Data(capacity: bytes.range.count)
    for try await part in bytes {
      try expect(!part.isEmpty, "\(circumstances), the key \(shown(key)) is read with an empty part")
      data.append(part)
    }
    try expect(
      data.count == bytes.range.count,
      "\(circumstances), \(data.count) of \(bytes.range.count) bytes of the key \(shown(key)) are read without an error"
    )
    return data
  }

  /// Throws `BrokenPromise` with the difference, if there is one.
  func expectNone(_ difference: String?, _ key: String, _ circumstances: String) throws {
    if let difference { throw broken("\(circumstances) gives \(difference), at the key \(shown(key))") }
  }
}
