import CZlib
import StrataCompression

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A deflate or inflate stream with its output buffer.
///
/// Unchecked: all properties are `let`, and a `ContextPool` gives a stream to one caller at a time. Only that caller
/// uses the memory behind the two pointers.
final class ZlibStream: @unchecked Sendable {
  /// Large enough for most values in one step, small enough to keep.
  private static let chunkSize = 64 << 10

  private let direction: ZlibDirection
  /// On the heap: zlib keeps a pointer back to it, so it must not move.
  private let state: ZlibDirection.State
  private let chunk: UnsafeMutablePointer<UInt8>

  convenience init(_ direction: ZlibDirection) throws {
    let state = ZlibDirection.State.allocate(capacity: 1)
    state.initialize(to: z_stream())
    let status = direction.open(state)
    guard status == Z_OK else {
      defer { state.deallocate() }
      throw Self.failure(status, Self.message(of: state))
    }
    self.init(direction, opened: state)
  }

  private init(_ direction: ZlibDirection, opened state: ZlibDirection.State) {
    self.direction = direction
    self.state = state
    chunk = .allocate(capacity: Self.chunkSize)
  }

  deinit {
    _ = direction.close(state)
    state.deallocate()
    chunk.deallocate()
  }

  /// Resets the stream to its initial state. Returns whether it can be used again.
  func reset() -> Bool { direction.reset(state) == Z_OK }

  /// Passes the whole input through the stream and returns the output. Throws `.tooLarge` before the output exceeds
  /// `maximumSize`.
  func process(_ input: Data, maximumSize: Int) throws -> Data {
    var output = Data()
    var hasEnded = false
    for region in input.regions {
      try region.withUnsafeBytes { bytes in
        // zlib counts its input in 32 bits.
        for start in stride(from: 0, to: bytes.count, by: 1 << 30) {
          let piece = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(1 << 30))
          guard !hasEnded else { throw Self.trailing() }
          hasEnded = try run(piece, Z_NO_FLUSH, into: &output, maximumSize)
          if state.pointee.avail_in > 0 { throw Self.trailing() }
        }
      }
    }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    if !hasEnded { _ = try run(nothing, Z_FINISH, into: &output, maximumSize) }
    return output
  }

  /// Consumes one piece of input and appends the output. Returns whether the stream has ended.
  private func run(
    _ piece: UnsafeRawBufferPointer, _ flush: Int32, into output: inout Data, _ maximumSize: Int
  ) throws -> Bool {
    state.pointee.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
    state.pointee.avail_in = UInt32(piece.count)
    repeat {
      state.pointee.next_out = chunk
      state.pointee.avail_out = UInt32(Self.chunkSize)
      let status = direction.step(state, flush)
      let produced = Self.chunkSize - Int(state.pointee.avail_out)
      guard produced <= maximumSize - output.count else {
        throw StorageError.tooLarge.with(
          "zlib: the value has more than \(maximumSize) bytes, which is the limit")
      }
      output.append(chunk, count: produced)
      switch status {
      case Z_OK: break
      case Z_STREAM_END: return true
      case Z_BUF_ERROR where flush == Z_NO_FLUSH: return false  // zlib needs the next piece of the input.
      case Z_BUF_ERROR: throw Self.failure(status, "the bytes end before the stream does")
      default: throw Self.failure(status, Self.message(of: state))
      }
    } while state.pointee.avail_out == 0
    return false
  }

  private static func message(of state: ZlibDirection.State) -> String? {
    state.pointee.msg.map { String(cString: $0) }
  }

  private static func trailing() -> StorageError {
    failure(Z_DATA_ERROR, "bytes follow the end of the stream")
  }

  private static func failure(_ status: Int32, _ message: String?) -> StorageError {
    let message = message ?? zError(status).map { String(cString: $0) } ?? "unknown"
    return StorageError.transformerFail.with("zlib: error \(status), \(message)")
  }
}
