import Synchronization

/// Sessions of idle encodings. Taking one and returning it are one atomic operation each, in place of a lock.
///
/// Unchecked: a slot owns the session that its bits point to, and only the thread that has exchanged them gets it.
struct CBORSessionPool: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  private let capacity = 8

  /// Creates a pool that lasts as long as the program.
  init() {
    slots = .allocate(capacity: capacity)
    for slot in 0..<capacity { (slots + slot).initialize(to: Atomic(0)) }
  }

  /// Returns an idle session, or a new one if there is none.
  @inline(__always)
  func take() -> CBORSession {
    for slot in 0..<capacity {
      let bits = slots[slot].exchange(0, ordering: .acquiring)
      guard let session = UnsafeRawPointer(bitPattern: bits) else { continue }
      return Unmanaged<CBORSession>.fromOpaque(session).takeRetainedValue()
    }
    return CBORSession()
  }

  /// Keeps a session for later encodings, if fewer than eight are idle.
  @inline(__always)
  func give(_ session: CBORSession) {
    let owned = Unmanaged.passRetained(session)
    let bits = UInt(bitPattern: owned.toOpaque())
    for slot in 0..<capacity
    where slots[slot].compareExchange(expected: 0, desired: bits, ordering: .releasing).exchanged {
      return
    }
    owned.release()
  }
}
