public import StrataCore
public import Synchronization

/// Writes on the caller's thread, in a chain that may block, if this write need not wait.
///
/// The value is encoded on that thread too. The size of the last written value decides whether to try, so that no
/// caller has to encode a large value: the values of one view usually have similar sizes.
extension AsyncStorage {
  /// The maximum size of the last written value, in bytes, up to which the next one is encoded on the caller's thread.
  @inlinable
  static var sizeLimit: Int { 1 << 14 }

  /// Stores a value if no other operation has the key's turn, no tier has to wait, and there are no observers. Returns
  /// `false` without changing anything otherwise.
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

  /// Stores a value in the key's turn, on a thread that may block if the chain may.
  @usableFromInline
  func storeInTurn(_ wrapper: TypeWrapper, _ key: Key, _ expiry: Expiry?) async throws {
    defer { noteSize(of: wrapper) }
    _ = try await run(.set(wrapper, key, expiry))
  }

  @usableFromInline
  func noteSize(of wrapper: TypeWrapper) {
    guard let size = wrapper.byteCount, size != lastSize.load(ordering: .relaxed) else { return }
    lastSize.store(size, ordering: .relaxed)
  }
}
