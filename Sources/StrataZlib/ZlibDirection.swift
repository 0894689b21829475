import CZlib

/// The zlib functions of one direction: deflating or inflating.
struct ZlibDirection: Sendable {
  typealias State = UnsafeMutablePointer<z_stream>

  let open: @Sendable (State) -> Int32
  let step: @Sendable (State, _ flush: Int32) -> Int32
  let reset: @Sendable (State) -> Int32
  let close: @Sendable (State) -> Int32

  static func deflating(level: Int) -> ZlibDirection {
    ZlibDirection(
      open: { deflateInit_($0, Int32(level), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) },
      step: { deflate($0, $1) }, reset: { deflateReset($0) }, close: { deflateEnd($0) })
  }

  static let inflating = ZlibDirection(
    open: { inflateInit_($0, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) },
    step: { inflate($0, $1) }, reset: { inflateReset($0) }, close: { inflateEnd($0) })
}
