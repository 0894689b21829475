import CGzip

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads the lines of a text file, compressed by gzip or not.
struct LineReader: ~Copyable {
  private let file: gzFile
  private let path: String
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var filled = 0
  private var next = 0

  init(path: String) throws(TraceError) {
    guard let file = gzopen(path, "rb") else {
      throw TraceError("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    self.file = file
    self.path = path
  }

  deinit { gzclose_r(file) }

  /// Reads the next line into `line`, without its end; returns whether there was one.
  mutating func read(into line: inout [UInt8]) throws(TraceError) -> Bool {
    line.removeAll(keepingCapacity: true)
    var isAtEnd = true
    while true {
      if next == filled {
        try fill()
        if filled == 0 { return !isAtEnd }
      }
      isAtEnd = false
      let rest = buffer[next..<filled]
      guard let end = rest.firstIndex(of: 0x0A) else {
        line += rest
        next = filled
        continue
      }
      line += rest[..<end]
      next = end + 1
      if line.last == 0x0D { line.removeLast() }
      return true
    }
  }

  private mutating func fill() throws(TraceError) {
    let count = buffer.withUnsafeMutableBytes { gzread(file, $0.baseAddress, UInt32($0.count)) }
    var code: Int32 = 0
    let message = gzerror(file, &code).map { String(cString: $0) } ?? ""
    // zlib reports a truncated file as a buffer error at its end, not by a negative count.
    guard count >= 0, code == Z_OK || code == Z_STREAM_END else {
      throw TraceError("\(path) is damaged, or is not a file: \(message)")
    }
    next = 0
    filled = Int(count)
  }
}
