extension KeyOrder {
  /// Whether this thread is inside a turn of this order that is not only for reading.
  var isThreadChanging: Bool { ThreadTurns.current.readsOnly(in: self, overlapping: .everything) == false }
}
