#if canImport(FoundationNetworking)
  import Foundation
  import Glibc
  import StrataCore

  /// A temporary file without a name, for bytes that arrive faster than they are read. It ends with this object.
  final class SpillFile: Sendable {
    private let descriptor: CInt

    init() throws(StorageError) {
      var path = Array("\(NSTemporaryDirectory())/strata-body-XXXXXX".utf8CString)
      descriptor = mkstemp(&path)
      if descriptor < 0 { throw Self.failure("create a temporary file") }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unlink(path)
    }

    deinit { close(descriptor) }

    func write(_ data: Data, at position: Int) throws(StorageError) {
      var count = 0
      while count < data.count {
        let done = data.withUnsafeBytes { bytes in
          pwrite(
            descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count, off_t(position + count))
        }
        if done < 0 && errno == EINTR { continue }
        if done < 0 { throw Self.failure("write a temporary file") }
        count += done
      }
    }

    func read(_ range: Range<Int>) throws(StorageError) -> Data {
      var data = Data(count: range.count)
      var count = 0
      while count < range.count {
        let done = data.withUnsafeMutableBytes { bytes in
          pread(
            descriptor, bytes.baseAddress.map { $0 + count }, range.count - count,
            off_t(range.lowerBound + count))
        }
        if done < 0 && errno == EINTR { continue }
        if done <= 0 { throw Self.failure("read a temporary file") }
        count += done
      }
      return data
    }

    private static func failure(_ aim: String) -> StorageError {
      let reason = systemReason(errno)
      return .backendFailed.with("cannot \(aim): \(reason)", place: NSTemporaryDirectory())
    }
  }
#endif
