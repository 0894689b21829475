extension KeyOrder {
  /// Whether this thread is inside a turn of this order that is not only for reading.
  var isThreadChanging: Bool { ThreadTurns.current.turn(in: self, overlapping: .everything)?.reads == false }
}
