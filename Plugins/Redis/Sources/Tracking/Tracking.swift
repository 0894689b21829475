#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// What the servers of a client say has changed, handed on to the stores that want to know.
///
/// The server tells of changes over the connection by which the key was read. So a message and the reply to that
/// reading come in the order in which the server made them, and with the connection goes all that was read over it:
/// then everything is said to have changed. The connection that comes next asks to be told before it reads anything.
final class Tracking: Sendable {
  /// Given keys as the server has them; `nil` for all there are.
  typealias Listener = @Sendable (_ words: [Data]?) -> Void

  private struct State {
    var prefixes: Set<Data> = []
    var listeners: [Listener] = []
    /// How often each server has swapped its databases.
    var swaps: [RedisAddress: Int] = [:]
  }

  let mode: RedisTracking
  private let state = Locked(State())

  init(_ mode: RedisTracking) { self.mode = mode }

  /// Adds a store. Returns whether connections have to say something else now than before.
  func add(_ prefix: Data, _ listener: @escaping Listener) -> Bool {
    state.withLock { state in
      let isFirst = state.listeners.isEmpty
      state.listeners.append(listener)
      let isNew = state.prefixes.insert(prefix).inserted
      return mode == .broadcast ? isNew : isFirst
    }
  }

  /// What a connection says before any call, as things stand.
  var greeting: [RedisCommand] {
    let prefixes = state.withLock { $0.listeners.isEmpty ? nil : $0.prefixes }
    guard let prefixes, mode != .off else { return [] }
    var words: [RedisCommand.Word] = ["TRACKING", "ON"]
    if mode == .broadcast {
      words.append("BCAST")
      // A server takes none that begins with another.
      for prefix in prefixes where !prefixes.contains(where: { $0 != prefix && prefix.starts(with: $0) }) {
        words += ["PREFIX", .bytes(prefix)]
      }
    }
    // Messages come only in the third version of the protocol. A server that fell back to the second would track and
    // say nothing.
    return [RedisCommand("HELLO", 3, keyIndex: nil), RedisCommand("CLIENT", words, keyIndex: nil)]
  }

  /// Takes up what a server sent unasked.
  func hear(_ push: RESPValue) {
    guard case .push(let elements) = push, elements.first?.text == "invalidate", elements.count == 2 else {
      return
    }
    guard let keys = elements[1].elements else { return tell(nil) }
    tell(keys.compactMap(\.bytes))
  }

  /// Says that any key may have changed unheard.
  func lost() { tell(nil) }

  /// Takes up how often a server has swapped its databases: if that is another number than before, any key may have
  /// changed.
  func count(swaps: Int, on server: RedisAddress) {
    let isOther = state.withLock { state in
      defer { state.swaps[server] = swaps }
      return swaps != state.swaps[server, default: 0]
    }
    if isOther { lost() }
  }

  /// Whether there is a store that wants to know.
  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  private func tell(_ words: [Data]?) {
    for listener in state.withLock({ $0.listeners }) { listener(words) }
  }
}
