#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension File {
  /// Returns the bytes from an offset on, up to a limit or the end of the file.
  func data(_ limit: Int, at offset: Int) throws(SystemError) -> Data {
    var data = Data(count: limit)
    let result = data.withUnsafeMutableBytes { bytes in
      Result { () throws(SystemError) in try read(into: bytes, at: offset) }
    }
    return try data.prefix(result.get())
  }

  /// Makes the system begin to write bytes to the disk, so that a later `sync` has less to wait for. Does nothing if
  /// the system has no such call.
  func startFlushing(_ range: Range<Int>) {
    _ = Self.syncFileRange?(descriptor, Int64(range.lowerBound), Int64(range.count), Self.write)
  }

  /// Takes a shared `flock` until the file closes; `false` if another open file has the exclusive one.
  func tryLockShared() throws(SystemError) -> Bool {
    if SystemError.retrying({ Int(flock(descriptor, LOCK_SH | LOCK_NB)) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw SystemError("flock", path)
  }

  /// `SYNC_FILE_RANGE_WRITE`, whose value is part of the kernel's stable interface.
  private static let write: CUnsignedInt = 2

  private typealias SyncFileRange = @convention(c) (CInt, Int64, Int64, CUnsignedInt) -> CInt

  /// `sync_file_range`, if the system has it. The C headers declare it only with the GNU extensions enabled.
  private static let syncFileRange: SyncFileRange? = systemFunction("sync_file_range")
}

extension Data {
  /// Creates a value in memory that `body` fills, usually from a file at a path.
  init(
    filling count: Int, from path: String, _ body: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    guard let memory = malloc(Swift.max(1, count)) else { throw SystemError("malloc", path) }
    do { try body(UnsafeMutableRawBufferPointer(start: memory, count: count)) } catch {
      free(memory)
      throw error
    }
    // Only after filling the memory: a `Data` of few bytes copies them and frees the memory.
    self.init(bytesNoCopy: memory, count: count, deallocator: .free)
  }
}
