import StrataNetwork

/// Sends bytes to a server and receives them, without ever blocking.
protocol Transport: Sendable {
  /// Whether a read that does not fill the space means that no more bytes are available.
  var showsItsEnd: Bool { get }

  /// Whether a failed write has sent none of its bytes.
  var failsWhole: Bool { get }

  /// Reads the available bytes.
  func read(into space: UnsafeMutableRawBufferPointer) -> Socket.Outcome
  /// Writes as many bytes as there is room for.
  func write(_ bytes: UnsafeRawBufferPointer) -> Socket.Outcome
  /// Writes bytes that it has buffered, since the socket has become writable. A failure shows at the next read.
  func socketHasRoom()
}

extension Socket: Transport {
  var showsItsEnd: Bool { true }
  var failsWhole: Bool { true }

  func socketHasRoom() {}
}
