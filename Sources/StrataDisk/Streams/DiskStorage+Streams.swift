#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension DiskStorage {
  /// Returns the bytes of an entry, which are read a part at a time, or `nil` if there is none. The entry may have
  /// expired.
  ///
  /// A value that was written as a stream, and is large enough for a file of its own, is read in parts of 1 MiB, each
  /// of which is verified before it is returned; a few parts are read ahead. A damaged part throws
  /// `.malformedFileAttributes`, and the entry is moved to `Damaged`. The file stays open until the result is released:
  /// a new value, a removal or an eviction does not affect it. All other values are read into memory as a whole.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard try how.mayRead() else { return nil }
    let pool = pool
    let stored = try await pool.run { [self] in
      try explaining("read the entry", key) { try $0.stored($1) }
    }
    switch stored {
    case nil: return nil
    case .whole(let entry): return StoredBytes(entry.object, range: range, expiry: entry.expiry)
    case .parts(let file, let expiry):
      return StoredBytes(
        length: file.table.length, range: range, expiry: expiry,
        version: EntryName.hex(file.table.number), modified: file.modified,
        file: { try await self.held(file, key) }, open: { self.parts(of: $0, in: file, key) })
    }
  }

  /// Begins to read a range of a value.
  private func parts(of range: Range<Int>, in file: PartFile, _ key: Key) -> StoredBytes.Parts {
    let length = file.table.partLength
    let buffers = PartBuffers(size: length)
    var parts = ReadAhead(
      range.parts(of: length), on: pool,
      cached: { try file.cachedBytes(of: range, in: $0, buffers) }
    ) { [self] part in
      try explaining("read the entry", key) { engine, key in
        do {
          return try file.bytes(of: range, in: part, buffers)
        } catch let flaw as EntryFlaw {
          throw try engine.setAside(key, file, flaw)
        }
      }
    }
    return { try await parts.next() }
  }

  /// Returns a new value, to which the caller appends bytes.
  ///
  /// From 64 kB on, or with `.packed` from 1 MiB on, the bytes are written to a temporary file, which the commit puts
  /// in place under the folder's lock. Smaller values stay in memory until the commit. An append throws `.tooLarge` as
  /// soon as the entry alone would take more than `maxSize`. If this process dies, the next store that is opened over
  /// the folder deletes the temporary file.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try how.refuseAtOnce()
    try refuseInsideUpdate(of: key)
    return StagedValue(in: DiskSink(storage: self, key: key, expiry: expiry), on: pool)
  }

  /// Returns the file of a value, which is kept in place until the result is released.
  private func held(_ file: PartFile, _ key: Key) async throws -> StoredFile {
    let pool = pool
    let held = try await pool.run { [self] in
      try explaining("keep the file in place", key) { _, _ in try file.held() }
    }
    guard let held else {
      throw StorageError.notFound.with("the value has been replaced or removed", key: key, place: file.path)
    }
    let number = file.table.number
    return StoredFile(URL(filePath: file.path)) { [self] in
      held.release()
      pool.submit { [self] in
        do throws(StorageError) {
          try explaining("delete a file that was kept in place", key) { try $0.reclaim($1, number) }
        } catch {
          config.report(error)
        }
      }
    }
  }
}

extension DiskLayout {
  /// The size in bytes from which a value that is written as a stream is a file of its own, if it is shorter than a
  /// part.
  var streamThreshold: Int { self == .files ? 1 << 16 : fileThreshold }
}

/// A stored value that is read a part at a time.
enum StoredValue: Sendable {
  /// A value that is in memory.
  case whole(Entry<Data>)
  /// A value that was written as a stream.
  case parts(PartFile, Expiry)
}
