import CZstd
import StrataCompression
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tables with which a dictionary compresses at one level, and a list of the tables of other levels.
///
/// Unchecked: the memory that `pointer` points to never changes.
final class CompressionTables: @unchecked Sendable {
  let pointer: OpaquePointer
  private let level: Int
  /// A list that only grows, so that it is read without a lock.
  private let next = AtomicLazyReference<CompressionTables>()

  init(_ bytes: Data, _ id: UInt32, level: Int) throws {
    let made = bytes.withUnsafeBytes { ZSTD_createCDict($0.baseAddress, $0.count, CInt(level)) }
    guard let made else { throw CompressionError.unusable(id) }
    pointer = made
    self.level = level
  }

  deinit { ZSTD_freeCDict(pointer) }

  /// Returns the tables of a level in the list that begins here. If there are none, `make` creates them, and they are
  /// added.
  func tables(for level: Int, _ make: () throws -> CompressionTables) rethrows -> CompressionTables {
    var tables = self
    while tables.level != level {
      // If two threads add tables at once, one of them continues with the tables of the other, which may have the
      // requested level.
      tables = try tables.next.load() ?? tables.next.storeIfNil(make())
    }
    return tables
  }
}

/// The tables with which a dictionary decompresses.
///
/// Unchecked: the memory that `pointer` points to never changes.
final class DecompressionTables: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ bytes: Data, _ id: UInt32) throws {
    let made = bytes.withUnsafeBytes { ZSTD_createDDict($0.baseAddress, $0.count) }
    guard let made else { throw CompressionError.unusable(id) }
    pointer = made
  }

  deinit { ZSTD_freeDDict(pointer) }
}

extension CompressionError {
  fileprivate static func unusable(_ id: UInt32) -> CompressionError {
    CompressionError(.invalidDictionary, "the dictionary \(id) is damaged, or there is no memory for it")
  }
}
