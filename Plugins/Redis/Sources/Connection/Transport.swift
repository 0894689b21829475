/// What carries bytes to a server and back, without ever blocking.
protocol Transport: Sendable {
  /// Whether a read that does not fill the space means that there is no more for now.
  var showsItsEnd: Bool { get }

  /// Whether a write that fails has sent nothing of its bytes.
  var failsWhole: Bool { get }

  /// Reads what is there.
  func read(into space: UnsafeMutableRawBufferPointer) -> Socket.Outcome
  /// Writes as much as there is room for.
  func write(_ bytes: UnsafeRawBufferPointer) -> Socket.Outcome
  /// Writes what it holds back itself, now that the socket takes more. A failure will show with the next read.
  func socketHasRoom()
}

extension Socket: Transport {
  var showsItsEnd: Bool { true }
  var failsWhole: Bool { true }

  func socketHasRoom() {}
}
