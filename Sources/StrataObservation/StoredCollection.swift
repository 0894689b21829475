public import Observation
public import StrataCore

/// The entries of a store, page by page, for views and models to watch.
///
/// Pages are read in the order in which the store lists its keys, the first one at once and further ones by
/// `loadMore()`. What has been read stays in place: a changed value replaces the old one, a removed key disappears, and
/// a new key is appended when all pages have been read.
///
/// ```swift
/// @MainActor func list(_ users: Storage<String, User>) async {
///   let people = StoredCollection(users, pageSize: 50)
///   while people.hasMore { await people.loadMore() }
///   for person in people.elements { print(person.key, person.value.name) }
/// }
/// ```
///
/// It follows the changes that a ``StoredValue`` follows, with the same rules: it reads outside of the main actor,
/// reads once after a burst of changes, and ends with its last reference. To change an entry, write to the store. Over
/// a `LoadingStorage` it shows what is stored, and loads nothing.
///
/// With `RedisTracking.reads` the server reports only keys that were read; `.broadcast` also reports the keys that
/// other machines add.
///
/// An entry that expires stays until the next change of its key, a sweep of the store or `refresh()`.
///
/// All values that have been read are in memory. A key that is stored while pages are read may appear only after the
/// last page.
@MainActor
@Observable
public final class StoredCollection<Key: Hashable & Sendable, Value: Sendable> {
  /// A key with its value.
  public struct Element: Identifiable, Sendable {
    /// The key.
    public let key: Key
    /// The value.
    public internal(set) var value: Value
    /// The key, as the identity in a list.
    public var id: Key { key }
  }

  /// How far the entries have been read: `.loading` until the first page is there.
  public private(set) var phase = StoredPhase.loading
  /// Whether there are pages that have not been read.
  public private(set) var hasMore = true

  @ObservationIgnored private var list = ElementList<Key, Value>()
  @ObservationIgnored private let signal = ChangeSignal()
  @ObservationIgnored private let inbox = CollectionInbox<Key>()
  @ObservationIgnored private var waiting: [(mark: Int, caller: CheckedContinuation<Void, Never>)] = []

  /// Creates the observed entries of a store, and begins to read the first page.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - pageSize: the number of keys of a page.
  ///   - clock: the clock of the pauses after which failed reads of a store that other machines change are repeated.
  public init(
    _ store: some StorageAware<Key, Value>, pageSize: Int = 50, clock: any Clock<Duration> = ContinuousClock()
  ) {
    connect(store)
    signal.send()
    follow(CollectionReader(store, pageSize: pageSize), clock)
  }

  deinit { signal.end() }

  /// The entries that have been read, in the order of the pages.
  public var elements: [Element] {
    access(keyPath: \.elements)
    return list.elements
  }

  /// Returns the value of a key among those that have been read.
  public subscript(key: Key) -> Value? {
    access(keyPath: \.elements)
    return list[key]
  }

  /// Reads the next page, and waits until `elements` shows it. An error becomes the phase.
  public func loadMore() async { await read { $0.pages += 1 } }

  /// Reads all pages again that have been read, and waits until `elements` shows them. An error becomes the phase.
  ///
  /// Reads the authoritative tier, past memory in front of it: it finds what another process has written to a disk, and
  /// memory has it from then on.
  public func refresh() async {
    await read {
      $0.isAnew = true
      $0.how = .authoritative
    }
  }

  private func read(_ more: (inout CollectionWork<Key>) -> Void) async {
    inbox.work.withLock { more(&$0) }
    let mark = signal.outdateReads()
    signal.send()
    await withCheckedContinuation { waiting.append((mark, $0)) }
  }

  // MARK: Following

  private func connect(_ store: some StorageAware<Key, Value>) {
    let add: @Sendable (StorageChange<Key>?) -> Bool = { [inbox, weak signal] change in
      guard let signal else { return false }
      if case .removeInMemory = change { return true }
      inbox.work.withLock { $0.add(change) }
      return signal.send()
    }
    for token in store.observeChanges(add) { signal.keep(token) }
    signal.keep(
      store.invalidationSource?.listen { announcement in
        guard case .changed(let keys) = announcement else { return _ = add(nil) }
        for key in keys { _ = add(.add(key: key)) }
      })
  }

  private func follow(_ reader: CollectionReader<Key, Value>, _ clock: any Clock<Duration>) {
    let publish: @MainActor @Sendable (Result<CollectionChange<Key, Value>, any Error>, Int) -> Void = {
      [weak self] change, mark in self?.publish(change, mark)
    }
    let following = Task.detached { [reader, inbox, signal] in
      var reader = reader
      var pause = Duration.seconds(1)
      for await _ in signal.signals {
        let mark = signal.mark
        let todo = inbox.work.withLock { $0.take() }
        do {
          await publish(.success(try await reader.read(todo)), mark)
          pause = .seconds(1)
        } catch {
          inbox.work.withLock { $0.putBack(todo) }
          await publish(.failure(error), mark)
          guard reader.isShared else { continue }
          signal.send(on: clock) { pause }
          pause = min(pause * 2, .seconds(30))
        }
      }
    }
    signal.run(.follower, following)
  }

  private func publish(_ result: Result<CollectionChange<Key, Value>, any Error>, _ mark: Int) {
    let next: StoredPhase
    switch result {
    case .success(let change):
      next = .loaded
      if list.isChanged(by: change) {
        withMutation(keyPath: \.elements) { list.apply(change) }
      }
      if hasMore != change.hasMore { hasMore = change.hasMore }
    case .failure(let error): next = .failed(error)
    }
    if !next.repeats(phase) { phase = next }
    let answered = waiting.filter { $0.mark <= mark }
    waiting.removeAll { $0.mark <= mark }
    for (_, caller) in answered { caller.resume() }
  }
}
