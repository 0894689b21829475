/// An invalidation source: a store reports changes through it, whichever process or machine has made them.
///
/// A tier in front of the store receives the invalidations and drops the changed keys; see
/// `StorageAware.invalidationSource`. The store must follow two rules:
///
/// - **Every change after a read is reported.** If the state that a read returned is no longer stored, `changed` is
///   called for the key, before or after the read returns. One call is enough until the key is read again. Changes made
///   through the store itself are reported too.
/// - **Possible gaps are reported.** If changes may be missed, the store calls `lost()`, and later `restored()`, when
///   reads that begin from then on are covered again. A store that reports changes again before any further read, but
///   may have missed some in between, calls `changedAll()` instead.
///
/// Each call returns once no listener serves its old entries of the keys any more. Calls may come from any thread, take
/// no turn, do no I/O, and cost about one removal from memory per key.
///
/// ```swift
/// // What a store has beside the functions of `StorageAware`.
/// class Shelf {
///   let invalidationSource: InvalidationSource<String>? = InvalidationSource(isLinked: false)
///   func heard(_ message: Message) { invalidationSource?.changed(message.keys) }
/// }
/// ```
public final class InvalidationSource<Key: Hashable & Sendable>: Sendable {
  /// A message to the listeners.
  package enum Announcement: Sendable {
    case changed([Key])
    case changedAll
    /// The link was lost or restored: read `link`.
    case link
  }

  /// Whether changes are reported, and how often they were not.
  struct Link: Sendable {
    var isUp: Bool
    var losses = 0
  }

  package typealias Listener = @Sendable (Announcement) -> Void

  private struct State {
    var link: Link
    /// The listeners in the order of their registration. An outer listener registers after an inner one and is called
    /// after it, so that it cannot reload an entry that the inner one still holds.
    var listeners: [(id: Int, tell: Listener)] = []
    var lastID = 0
  }

  private let state: Locked<State>
  /// The link of the forwarded sources, or `nil` if this source forwards none.
  private let passedOn: (@Sendable () -> Link)?
  private let subscriptions: Locked<[ObservationToken]>

  /// Creates a source.
  ///
  /// - Parameter isLinked: whether changes are reported from the start. If not, no entry is stored in front of the
  ///   store until `restored()`.
  public init(isLinked: Bool = true) {
    state = Locked(State(link: Link(isUp: isLinked)))
    passedOn = nil
    subscriptions = Locked([])
  }

  /// Creates a source that forwards other sources with mapped keys. `key` returns `nil` for a key without a
  /// counterpart.
  package init<Inner>(
    of inners: [InvalidationSource<Inner>], _ key: @escaping @Sendable (Inner) throws -> Key?
  ) {
    state = Locked(State(link: Link(isUp: true)))
    passedOn = {
      inners.reduce(into: Link(isUp: true)) { link, inner in
        link.isUp = link.isUp && inner.link.isUp
        link.losses += inner.link.losses
      }
    }
    subscriptions = Locked([])
    let tokens = inners.map { inner in
      inner.listen { [weak self] announcement in
        switch announcement {
        case .changed(let keys):
          // A key that cannot be mapped may concern any key.
          do { self?.changed(try keys.compactMap(key)) } catch { self?.changedAll() }
        case .changedAll: self?.changedAll()
        case .link: self?.tell(.link)
        }
      }
    }
    subscriptions.withLock { $0 = tokens }
  }

  deinit { subscriptions.withLock { $0.forEach { $0.cancel() } } }

  /// Reports that the values of some keys may have changed.
  ///
  /// ```swift
  /// let source = InvalidationSource<String>()
  /// server.onMessage = { message in source.changed(message.keys) }
  /// server.onDisconnect = { source.lost() }
  /// server.onReconnect = { source.restored() }
  /// ```
  public func changed(_ keys: [Key]) {
    if !keys.isEmpty { tell(.changed(keys)) }
  }

  /// Reports that any value may have changed.
  public func changedAll() { tell(.changedAll) }

  /// Reports that changes may be missed from now on, or have been missed. Existing entries of listeners are not served
  /// again.
  public func lost() {
    state.withLock { state in
      state.link.isUp = false
      state.link.losses += 1
    }
    tell(.link)
  }

  /// Reports that changes of entries that are read from now on will be reported.
  public func restored() {
    state.withLock { $0.link.isUp = true }
    tell(.link)
  }

  /// The current state of the link.
  var link: Link { passedOn?() ?? state.withLock { $0.link } }

  /// Adds a listener. The caller must then read `link`, since only later changes are announced.
  package func listen(_ tell: @escaping Listener) -> ObservationToken {
    let id = state.withLock { state in
      state.lastID += 1
      state.listeners.append((state.lastID, tell))
      return state.lastID
    }
    return ObservationToken { [weak self] in
      self?.state.withLock { state in state.listeners.removeAll { $0.id == id } }
    }
  }

  /// Calls the listeners, outside the lock: they release values, which may run a user's code.
  private func tell(_ announcement: Announcement) {
    for (_, tell) in state.withLock({ $0.listeners }) { tell(announcement) }
  }
}
