public import StrataCore
public import Synchronization

/// Writes in a chain that may block, and this time need not: they are made where the caller is.
///
/// The value is encoded there too. So that no caller has to encode a large one, the size of the last value that was
/// written decides: views of one type mostly write values of one size.
extension AsyncStorage {
  /// Up to how many bytes of the last value the next one is encoded where the caller is.
  @inlinable
  static var sizeLimit: Int { 1 << 14 }

  /// Stores a value if nobody has the key, no tier has to wait, and nobody observes. If not, nothing has been changed.
  @inlinable
  func storeAtOnce(_ wrapper: TypeWrapper, _ key: Key, _ expiry: Expiry?) throws -> Bool {
    guard let ordered, lastSize.load(ordering: .relaxed) <= Self.sizeLimit else { return false }
    defer { noteSize(of: wrapper) }
    return try ordered.meetingPoint.unretainedOrder._withUnsafeGuaranteedRef { order in
      try order.ifFree(key) {
        try ordered.inner.inner.setObjectAtOnce(wrapper, forKey: key, expiry: expiry)
      }
    } ?? false
  }

  /// Stores a value when the turn of the key has come, on a thread that may block if the chain does.
  @usableFromInline
  func storeInTurn(_ wrapper: TypeWrapper, _ key: Key, _ expiry: Expiry?) async throws {
    defer { noteSize(of: wrapper) }
    try await run(.setWrapped(wrapper, key, expiry))
  }

  @usableFromInline
  func noteSize(of wrapper: TypeWrapper) {
    guard let size = wrapper.byteCount, size != lastSize.load(ordering: .relaxed) else { return }
    lastSize.store(size, ordering: .relaxed)
  }
}
