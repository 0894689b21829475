import Foundation

/// An open file to which `write` appends values, and from which `pread` reads them at known offsets into existing
/// memory: the minimum for small values of one size. It has no keys, checksums or index.
final class BareLog: Sendable {
  private let descriptor: Int32
  private let size: Int

  init(folder: URL, size: Int) throws {
    descriptor = open(folder.appending(path: "bare.log").path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    self.size = size
    if descriptor < 0 { throw Failure("cannot open a plain file: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  @inline(never)
  func read(_ numbers: [Int]) throws -> Int {
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      var sum = 0
      for number in numbers {
        let count = pread(descriptor, buffer.baseAddress, size, off_t(number * size))
        if count != size { throw Failure("a plain read gave \(count) bytes of \(size)") }
        sum &+= count
      }
      return sum
    }
  }

  @inline(never)
  func append(_ value: Data, _ times: Int) throws -> Int {
    try value.withUnsafeBytes { bytes in
      for _ in 0..<times {
        let count = write(descriptor, bytes.baseAddress, bytes.count)
        if count != bytes.count { throw Failure("a plain write took \(count) bytes of \(bytes.count)") }
      }
    }
    return times
  }
}
