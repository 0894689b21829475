public import Synchronization

/// The values that are being stored in a tier while they are read from the tier behind it, or from a download.
@usableFromInline
package final class StreamFills<Key: Hashable & Sendable>: Sendable {
  private struct Fill {
    weak var bytes: SharedBytes?
    let id: UInt64
    let isValid: @Sendable () -> Bool
  }

  private struct State {
    var lastID: UInt64 = 0
    var fills: [Key: Fill] = [:]
  }

  private let state = Locked(State())
  /// Whether there have ever been fills: if not, no operation takes the lock.
  @usableFromInline let isUsed = Atomic(false)

  @usableFromInline
  init() {}

  /// Returns the value that is being stored for a key, unless its source has failed, or has changed since.
  func bytes(of key: Key) -> SharedBytes? {
    guard let fill = state.withLock({ $0.fills[key] }), fill.isValid(), fill.bytes?.hasFailed == false else {
      return nil
    }
    return fill.bytes
  }

  /// Returns the identity of a new fill.
  func begin() -> UInt64 {
    isUsed.store(true, ordering: .relaxed)
    return state.withLock { state in
      state.lastID += 1
      state.fills = state.fills.filter { $0.value.bytes != nil }
      return state.lastID
    }
  }

  func add(
    _ bytes: SharedBytes, _ key: Key, _ id: UInt64, isValid: @escaping @Sendable () -> Bool = { true }
  ) {
    state.withLock { $0.fills[key] = Fill(bytes: bytes, id: id, isValid: isValid) }
  }

  /// Returns, in the key's turn, whether the key has not changed since the fill began. The fill has then ended.
  func end(_ key: Key, _ id: UInt64) -> Bool {
    state.withLock { state in
      guard state.fills[key]?.id == id else { return false }
      state.fills[key] = nil
      return true
    }
  }

  /// Ends the fills of keys that are changed in their turn.
  @inlinable
  package func overtake(_ key: Key) { overtake(CollectionOfOne(key)) }

  @inlinable
  package func overtake(_ keys: some Sequence<Key>) {
    if isUsed.load(ordering: .relaxed) { remove(Array(keys)) }
  }

  package func overtakeAll() { state.withLock { $0.fills = [:] } }

  @usableFromInline
  func remove(_ keys: [Key]) { state.withLock { state in for key in keys { state.fills[key] = nil } } }
}

extension StreamFills: OvertakenLoads {}

extension SharedLoads {
  /// The values that are being downloaded, a part at a time.
  var downloads: StreamFills<Key> { table { StreamFills() } }
}
