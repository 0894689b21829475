extension KeyOrder {
  /// Whether this thread is inside a turn of this order that may write.
  package var isThreadChanging: Bool {
    ThreadTurns.current.readsOnly(in: self, overlapping: .everything) == false
  }
}
