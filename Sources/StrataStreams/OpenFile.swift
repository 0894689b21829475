#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An open file that is read and written at given positions. All of its functions block.
package final class OpenFile: Sendable {
  package let path: String
  private let descriptor: CInt

  /// Opens an existing file for reading. Does not wait for a writer of a FIFO.
  package init(reading path: String) throws(StorageError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw Self.failure("open the file", path) }
  }

  /// Creates a file for writing.
  package init(creating path: String) throws(StorageError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw Self.failure("create the file", path) }
  }

  /// Creates a file without a name in the system's folder for temporary files, for reading and writing. It ends with
  /// this object.
  package init() throws(StorageError) {
    let folder = FileManager.default.temporaryDirectory.path
    path = folder
    var name = Array("\(folder)/strata-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    if descriptor < 0 { throw Self.failure("create a temporary file", folder) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
  }

  deinit { close(descriptor) }

  /// The number of bytes in the file. Throws if it is not a regular file.
  package var size: Int {
    get throws(StorageError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw Self.failure("inspect the file", path) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw .backendFailed.with("the path is not a regular file", place: path)
      }
      return Int(status.st_size)
    }
  }

  /// Returns the bytes of a range, preceded by `head`. Throws if the file is shorter than the range.
  package func read(_ range: Range<Int>, after head: [UInt8] = []) throws(StorageError) -> Data {
    var data = Data(count: head.count + range.count)
    data.replaceSubrange(..<head.count, with: head)
    let result = data.withUnsafeMutableBytes { bytes in
      Result { () throws(StorageError) in
        try read(into: bytes.part(head.count...), at: range.lowerBound)
      }
    }
    try result.get()
    return data
  }

  /// Fills a buffer with the bytes from a position on. Throws if the file is shorter.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int) throws(StorageError) {
    var count = 0
    while count < buffer.count {
      let rest = buffer.part(count...)
      let done = pread(descriptor, rest.baseAddress, rest.count, off_t(position + count))
      if done < 0 && errno == EINTR { continue }
      if done < 0 { throw Self.failure("read the file", path) }
      if done == 0 { throw .backendFailed.with("the file was shortened while it was read", place: path) }
      count += done
    }
  }

  /// Writes bytes at a position.
  package func write(_ data: Data, at position: Int) throws(StorageError) {
    var count = 0
    while count < data.count {
      let done = data.withUnsafeBytes { bytes in
        pwrite(
          descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count, off_t(position + count))
      }
      if done < 0 && errno == EINTR { continue }
      if done < 0 { throw Self.failure("write the file", path) }
      count += done
    }
  }

  /// Renames the file, replacing any file at the new path.
  package func rename(to other: String) throws(StorageError) {
    #if canImport(Darwin)
      let result = Darwin.rename(path, other)
    #else
      let result = Glibc.rename(path, other)
    #endif
    if result != 0 { throw Self.failure("replace the file", other) }
  }

  /// Deletes the file.
  package func delete() { unlink(path) }

  /// Returns the path of a file URL.
  package static func path(of url: URL) throws(StorageError) -> String {
    guard url.isFileURL else {
      throw .invalidConfiguration.with("\(String(reflecting: url.absoluteString)) is not a file URL")
    }
    return try StorePath.absolute(url.path(percentEncoded: false))
  }

  private static func failure(_ aim: String, _ path: String) -> StorageError {
    let code = errno
    let reason = systemReason(code)
    return .backendFailed.with("cannot \(aim): \(reason) (errno \(code))", place: path)
  }
}
