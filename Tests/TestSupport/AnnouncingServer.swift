package import StrataCore

/// Simulates a server whose values several processes share, each through its own `AnnouncingStorage`. A client that has
/// read a key is notified once when any client changes it.
package final class AnnouncingServer<Value: Sendable>: Sendable {
  package typealias Key = String

  /// A message on its way to a client.
  package struct Letter: Sendable {
    /// The changed keys; `nil` for all keys.
    package let keys: [Key]?
    /// The number of changes so far, including this one.
    package let time: Int
  }

  private struct State {
    var entries: [Key: Entry<Value>] = [:]
    var readers: [Key: Set<Int>] = [:]
    /// The undelivered messages of each client. A client without an entry is disconnected.
    var mail: [Int: [Letter]] = [:]
    var clients = 0
    var changes = 0
    var onChange: (@Sendable (_ keys: [Key: Value?]) -> Void)?
  }

  private let state = Locked(State())

  package init() {}

  /// Calls a closure with every change, in order, before any client is notified.
  package func observe(_ onChange: @escaping @Sendable (_ keys: [Key: Value?]) -> Void) {
    state.withLock { $0.onChange = onChange }
  }

  /// The number of changes so far.
  package var time: Int { state.withLock { $0.changes } }

  func connect() -> Int {
    state.withLock { state in
      state.clients += 1
      state.mail[state.clients] = []
      return state.clients
    }
  }

  func disconnect(_ client: Int) { state.withLock { $0.mail[client] = nil } }
  func reconnect(_ client: Int) { state.withLock { $0.mail[client] = [] } }

  /// Removes and returns one of a client's messages, by default the next one.
  func take(_ client: Int, _ pick: (Range<Int>) -> Int) -> Letter? {
    state.withLock { state in
      guard let count = state.mail[client]?.count, count > 0 else { return nil }
      return state.mail[client]?.remove(at: pick(0..<count))
    }
  }

  func read(_ keys: [Key], by client: Int) -> [Key: Entry<Value>] {
    state.withLock { state in
      if state.mail[client] != nil { for key in keys { state.readers[key, default: []].insert(client) } }
      return state.entries.filter { keys.contains($0.key) }
    }
  }

  var keys: [Key] { state.withLock { Array($0.entries.keys) } }

  func change(_ new: [Key: Entry<Value>?]) {
    state.withLock { state in
      state.changes += 1
      for (key, entry) in new {
        state.entries[key] = entry
        for reader in state.readers.removeValue(forKey: key) ?? [] {
          state.mail[reader]?.append(Letter(keys: [key], time: state.changes))
        }
      }
      state.onChange?(new.mapValues { $0?.object })
    }
  }

  func removeAll() {
    state.withLock { state in
      state.changes += 1
      state.onChange?(state.entries.mapValues { _ in nil })
      state.entries = [:]
      state.readers = [:]
      for client in state.mail.keys { state.mail[client]?.append(Letter(keys: nil, time: state.changes)) }
    }
  }
}

/// One process's client of an `AnnouncingServer`.
///
/// Delivers the server's messages on demand, or at once. When its link is lost, it can still read, as over another
/// connection, but receives no messages.
package final class AnnouncingStorage<Value: Sendable>: SyncSimpleStorage {
  package typealias Letter = AnnouncingServer<Value>.Letter

  private let server: AnnouncingServer<Value>
  private let id: Int
  private let ownInvalidationSource: InvalidationSource<String>
  package let mayBlock = false

  /// - Parameter isLinked: whether it receives messages from the start.
  package init(_ server: AnnouncingServer<Value>, isLinked: Bool = true) {
    self.server = server
    id = server.connect()
    ownInvalidationSource = InvalidationSource(isLinked: isLinked)
    if !isLinked { server.disconnect(id) }
  }

  package var invalidationSource: InvalidationSource<String>? { ownInvalidationSource }

  /// Delivers one message, by default the oldest; `nil` if there is none.
  @discardableResult
  package func deliver(_ pick: (Range<Int>) -> Int = { $0.lowerBound }) -> Letter? {
    guard let letter = server.take(id, pick) else { return nil }
    if let keys = letter.keys {
      ownInvalidationSource.changed(keys)
    } else {
      ownInvalidationSource.changedAll()
    }
    return letter
  }

  /// Delivers all messages.
  package func deliverAll() { while deliver() != nil {} }

  /// Breaks the link. Messages are lost from now on, but the client has not noticed yet.
  package func cut() { server.disconnect(id) }

  /// Makes the client notice that the link is broken.
  package func noticeLoss() { ownInvalidationSource.lost() }

  /// Restores the link.
  package func reconnect() {
    server.reconnect(id)
    ownInvalidationSource.restored()
  }

  package func entryIfPresent(forKey key: String) throws -> Entry<Value>? { server.read([key], by: id)[key] }
  package func entries(forKeys keys: [String]) throws -> [String: Entry<Value>] { server.read(keys, by: id) }
  package func setObject(_ object: Value, forKey key: String, expiry: Expiry?) throws {
    try setObjects([key: object], expiry: expiry)
  }
  package func setObjects(_ objects: [String: Value], expiry: Expiry?) throws {
    let expiry = (expiry ?? .never).resolved(by: clock)
    server.change(objects.mapValues { Entry(object: $0, expiry: expiry) })
  }
  package func removeObject(forKey key: String) throws { try removeObjects(forKeys: [key]) }
  package func removeObjects(forKeys keys: [String]) throws {
    server.change(Dictionary(keys.map { ($0, nil) }) { $1 })
  }
  package func removeAll() throws { server.removeAll() }
  package func removeExpiredObjects() throws {}
  package func keys() throws -> [String] { server.keys }
}
