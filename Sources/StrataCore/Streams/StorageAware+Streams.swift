#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StorageAware where Value == Data {
  /// Returns the bytes of a value, which are read a part at a time.
  ///
  /// ```swift
  /// for try await part in try await films.read(forKey: "intro", range: 0..<1_000_000) { try send(part) }
  /// ```
  ///
  /// Without a range, all bytes are read. The part of a range that lies behind the end is ignored. Throws `.notFound`
  /// if nothing is stored, or the value has expired.
  public func read(forKey key: Key, range: Range<Int>? = nil) async throws -> StoredBytes {
    guard let bytes = try await stream(key, range, []), bytes.isLive(by: clock) else {
      throw StorageError.notFound.with(key: key)
    }
    return bytes
  }

  /// Stores a value whose bytes come a part at a time.
  ///
  /// ```swift
  /// try await films.write(forKey: "intro", from: upload.body)
  /// ```
  ///
  /// Readers see the old value until all bytes are stored, and then the new one. If the sequence or the store throws,
  /// or the task is cancelled, the old value stays and the new bytes are deleted. Limits are checked while bytes
  /// arrive. The key's turn is taken at the end only, so other operations on the key do not wait for the sequence.
  /// Without an expiry, the store's own applies.
  public func write<Bytes: AsyncSequence>(forKey key: Key, expiry: Expiry? = nil, from bytes: Bytes)
    async throws where Bytes.Element == Data
  {
    try await writing(key, expiry) { staged in
      for try await part in bytes where !part.isEmpty {
        try Task.checkCancellation()
        try await staged.append(part)
      }
    }
  }

  /// Stores a value whose bytes come one at a time.
  public func write<Bytes: AsyncSequence>(forKey key: Key, expiry: Expiry? = nil, from bytes: Bytes)
    async throws where Bytes.Element == UInt8
  {
    try await writing(key, expiry) { staged in
      var part = Data()
      for try await byte in bytes {
        part.append(byte)
        if part.count < StoredBytes.partSize { continue }
        try Task.checkCancellation()
        try await staged.append(part)
        part = Data()
      }
      if !part.isEmpty { try await staged.append(part) }
    }
  }

  /// Stages a value, and commits it if `append` does not throw.
  private func writing(
    _ key: Key, _ expiry: Expiry?, _ append: (any StagedBytes) async throws -> Void
  ) async throws {
    let staged = try await stage(key, expiry, [])
    do {
      try await append(staged)
      try Task.checkCancellation()
      try await staged.commit(ifAbsent: false)
    } catch {
      await staged.discard()
      throw error
    }
  }

  /// Stores the contents of a file of any size, a part at a time. The file must not change meanwhile.
  ///
  /// ```swift
  /// try await films.importFile(URL(filePath: "/var/tmp/intro.mp4"), forKey: "intro")
  /// ```
  ///
  /// Throws an error that names the file if it cannot be read; the old value then stays.
  public func importFile(_ url: URL, forKey key: Key, expiry: Expiry? = nil) async throws {
    try await write(forKey: key, expiry: expiry, from: FileParts(url).open())
  }

  /// Writes a value of any size to a file, a part at a time. The file contains only the value's bytes.
  ///
  /// An existing file is replaced once all bytes have been written; if it throws, the existing file is unchanged.
  /// Throws `.notFound` if nothing is stored, and an error that names the file if it cannot be written.
  public func exportFile(forKey key: Key, to url: URL) async throws {
    try await NewFile(url).write(read(forKey: key))
  }

  /// Returns the file in which the bytes of a value lie, for a program that needs a file; `nil` if they lie in no file
  /// of their own, or not as they are.
  ///
  /// The file is valid as long as the returned object exists. Throws `.notFound` if nothing is stored. Large values of
  /// `DiskStorage`, and all of `FolderStorage`, have a file. For all other stores, use `exportFile(forKey:to:)`.
  public func fileURL(forKey key: Key) async throws -> StoredFile? {
    while true {
      guard let file = try await read(forKey: key).file else { return nil }
      // The value was replaced or removed between the two calls.
      do { return try await file() } catch StorageError.notFound { try Task.checkCancellation() }
    }
  }
}

extension StorageAware {
  /// Returns the bytes of an entry, which are read into memory. It may have expired.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await streamInMemory(key, range, how)
  }

  /// Returns a value that is kept in memory until it is committed.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    stageInMemory(key, expiry, how)
  }

  package func streamInMemory(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard let entry = try await read(key, how) else { return nil }
    return StoredBytes(try bytes(of: entry.object, key), range: range, expiry: entry.expiry)
  }

  package func stageInMemory(_ key: Key, _ expiry: Expiry?, _ how: How) -> any StagedBytes {
    let how = how.subtracting(.rereading)
    return StagedInMemory { data, ifAbsent in
      guard let value = data as? Value ?? TypeWrapper(data: data) as? Value else { throw noBytes(key) }
      return try await change(key, ifAbsent ? .setIfAbsent(value, expiry) : .set(value, expiry), how)
    }
  }

  package func bytes(of value: Value, _ key: Key) throws -> Data {
    switch value {
    case let data as Data: return data
    case let wrapper as TypeWrapper: return try wrapper.data()
    default: throw noBytes(key)
    }
  }

  private func noBytes(_ key: Key) -> StorageError {
    .typeNotMatch.with(
      "only values of the type Data can be read or written a part at a time, and not a \(Value.self)",
      key: key)
  }
}
