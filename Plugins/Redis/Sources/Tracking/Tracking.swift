#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Receives the servers' invalidation messages for a client, and forwards them to the stores.
///
/// A server sends a message over the connection on which the key was read. The message and the reply to that read
/// therefore arrive in the server's order. When a connection ends, all keys read over it count as changed: listeners
/// are notified that everything has changed. The next connection turns tracking on before it reads anything.
final class Tracking: Sendable {
  /// Called with the changed keys as the server stores them; `nil` for all keys.
  typealias Listener = @Sendable (_ words: [Data]?) -> Void

  private struct State {
    var prefixes: Set<Data> = []
    var listeners: [Listener] = []
    /// The number of times that each server has executed `SWAPDB`.
    var swaps: [RedisAddress: Int] = [:]
  }

  let mode: RedisTracking
  private let state = Locked(State())

  init(_ mode: RedisTracking) { self.mode = mode }

  /// Adds a store. Returns whether connections must send another greeting than before.
  func add(_ prefix: Data, _ listener: @escaping Listener) -> Bool {
    state.withLock { state in
      let isFirst = state.listeners.isEmpty
      state.listeners.append(listener)
      let isNew = state.prefixes.insert(prefix).inserted
      return mode == .broadcast ? isNew : isFirst
    }
  }

  /// The commands that a connection must send before any call.
  var greeting: [RedisCommand] {
    let prefixes = state.withLock { $0.listeners.isEmpty ? nil : $0.prefixes }
    guard let prefixes, mode != .off else { return [] }
    var words: [RedisCommand.Word] = ["TRACKING", "ON"]
    if mode == .broadcast {
      words.append("BCAST")
      // A server refuses two prefixes of which one is the beginning of the other.
      for prefix in prefixes where !prefixes.contains(where: { $0 != prefix && prefix.starts(with: $0) }) {
        words += ["PREFIX", .bytes(prefix)]
      }
    }
    // Messages require RESP3. A server that remained at RESP2 would track and send nothing.
    return [RedisCommand("HELLO", 3, keyIndex: nil), RedisCommand("CLIENT", words, keyIndex: nil)]
  }

  /// Handles a push message of a server.
  func handle(_ push: RESPValue) {
    guard case .push(let elements) = push, elements.first?.text == "invalidate", elements.count == 2 else {
      return
    }
    guard let keys = elements[1].elements else { return notify(nil) }
    notify(keys.compactMap(\.bytes))
  }

  /// Reports that any key may have changed without a message.
  func lost() { notify(nil) }

  /// Records how often a server has executed `SWAPDB`. If the number differs from the last one, any key may have
  /// changed.
  func count(swaps: Int, on server: RedisAddress) {
    let isOther = state.withLock { state in
      defer { state.swaps[server] = swaps }
      return swaps != state.swaps[server, default: 0]
    }
    if isOther { lost() }
  }

  /// Whether any store listens.
  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  private func notify(_ words: [Data]?) {
    for listener in state.withLock({ $0.listeners }) { listener(words) }
  }
}
