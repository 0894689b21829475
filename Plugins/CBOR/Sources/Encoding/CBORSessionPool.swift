import Synchronization

/// Sessions of idle encodings: as many as encodings have run at the same time. Taking one and returning it are usually
/// one atomic operation each.
///
/// Unchecked: slots are atomic, and only the thread that has exchanged a slot's bits has the session they point to.
struct CBORSessionPool: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  private let capacity = 8
  private let more = Shared()

  /// The sessions for which there is no slot. They keep little memory.
  private final class Shared: Sendable {
    let sessions = Mutex<[CBORSession]>([])
  }

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
      if let writer = UnsafeMutablePointer<CBORWriter>(bitPattern: bits) { return CBORSession(writer) }
    }
    return more.sessions.withLock { $0.popLast() } ?? CBORSession()
  }

  @inline(__always)
  func give(_ session: CBORSession) {
    let bits = UInt(bitPattern: session.writer)
    for slot in 0..<capacity
    where slots[slot].compareExchange(expected: 0, desired: bits, ordering: .releasing).exchanged {
      return
    }
    session.writer.pointee.buffer.removeAll(keeping: 512)
    more.sessions.withLock { $0.append(session) }
  }
}
