/// Where a store tells of the changes that are made to it, by whomever: other processes, other machines, or this one.
///
/// A tier in front of such a store listens and drops what has changed; see `StorageAware.announcer`. The store
/// promises:
///
/// - **Every change is told after every read.** What a read returned, or a later state, is still stored, or `changed`
///   is called for its key: before the read returns or at any time after. Once is enough for as long as the key is not
///   read again. Changes made through the store itself count as well.
/// - **It says so when it may miss changes.** Then it calls `lost()`, and `restored()` when reads that begin from now
///   on are covered again. A store that always hears of changes again before it reads, but may have missed some in
///   between, calls `changedAll()` instead.
///
/// Calls return when no listener will serve what it held of the keys; they may come from any thread, take no turn and
/// do no I/O, and cost about a removal from memory for each key.
///
/// ```swift
/// // What a store has beside the functions of `StorageAware`.
/// class Shelf {
///   let announcer: StorageAnnouncer<String>? = StorageAnnouncer(isLinked: false)
///   func heard(_ message: Message) { announcer?.changed(message.keys) }
/// }
/// ```
public final class StorageAnnouncer<Key: Hashable & Sendable>: Sendable {
  /// What a listener is told.
  package enum Announcement: Sendable {
    case changed([Key])
    case changedAll
    /// The link was lost or restored: look at `link`.
    case link
  }

  /// Whether changes are heard of, and how often they were not.
  struct Link: Sendable {
    var isUp: Bool
    var losses = 0
  }

  package typealias Listener = @Sendable (Announcement) -> Void

  private struct State {
    var link: Link
    /// In the order in which they came. Who stands over another listener came after it and is told after it, so that
    /// what it reads anew is not what the other still held.
    var listeners: [(id: Int, tell: Listener)] = []
    var lastID = 0
  }

  private let state: Locked<State>
  /// How things stand with those that this one only passes on.
  private let passedOn: (@Sendable () -> Link)?
  private let subscriptions: Locked<[ObservationToken]>

  /// - Parameter isLinked: whether changes are heard of from the start. If not, nothing is held in front of the store
  ///   until `restored()`.
  public init(isLinked: Bool = true) {
    state = Locked(State(link: Link(isUp: isLinked)))
    passedOn = nil
    subscriptions = Locked([])
  }

  /// Passes on what others tell, under keys of another kind; `nil` for a key that belongs to nobody here.
  package init<Inner>(
    of inners: [StorageAnnouncer<Inner>], _ key: @escaping @Sendable (Inner) throws -> Key?
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
          // A key that leads nowhere may stand for any.
          do { self?.changed(try keys.compactMap(key)) } catch { self?.changedAll() }
        case .changedAll: self?.changedAll()
        case .link: self?.tell(.link)
        }
      }
    }
    subscriptions.withLock { $0 = tokens }
  }

  deinit { subscriptions.withLock { $0.forEach { $0.cancel() } } }

  /// Tells that the values of some keys may have changed.
  public func changed(_ keys: [Key]) {
    if !keys.isEmpty { tell(.changed(keys)) }
  }

  /// Tells that any value may have changed.
  public func changedAll() { tell(.changedAll) }

  /// Tells that changes may be missed from now on, or have been. What listeners hold is not served again.
  public func lost() {
    state.withLock { state in
      state.link.isUp = false
      state.link.losses += 1
    }
    tell(.link)
  }

  /// Tells that changes of what is read from now on will be heard of.
  public func restored() {
    state.withLock { $0.link.isUp = true }
    tell(.link)
  }

  /// How things stand at this moment.
  var link: Link { passedOn?() ?? state.withLock { $0.link } }

  /// Adds a listener, which then looks at `link` itself.
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

  /// Outside the lock: listeners drop values, and with them whatever those own.
  private func tell(_ announcement: Announcement) {
    for (_, tell) in state.withLock({ $0.listeners }) { tell(announcement) }
  }
}
