import Foundation
import StrataCore
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A proxy to a server that can delay, split, hold and cut connections.
///
/// Settings apply to existing and new connections, until they are changed.
package final class Proxy: Sendable {
  package enum Direction: CaseIterable { case toServer, toClient }

  /// The settings and counters of one direction.
  private struct Way {
    var delay = Duration.zero
    var isSplit = false
    var isHeld = false
    /// The number of bytes to forward before all connections are cut.
    var left: Int?
    var passed = 0
    /// The number of bytes received, forwarded or not.
    var received = 0
  }

  private struct State {
    var ways = [Direction: Way](uniqueKeysWithValues: Direction.allCases.map { ($0, Way()) })
    var sockets: Set<Int32> = []
    var clients: Set<Int32> = []
    /// The connections whose bytes to the server are held, by their client sockets.
    var heldLines: Set<Int32> = []
    /// The connection that last received bytes from its client.
    var lastClient: Int32?
    var target: Int
    var accepted = 0
    var isStopped = false
  }

  package let port: Int
  private let listener: Int32
  private let changes: Changes<State>

  package init(to target: Int) {
    changes = Changes(State(target: target))
    let made = Loopback.listener()
    (listener, port) = made
    Thread.detachNewThread { [changes] in Self.serve(made.socket, changes) }
  }

  deinit { stop() }

  // MARK: Faults

  /// Delays each piece.
  package func delay(_ duration: Duration, _ direction: Direction) { set(direction) { $0.delay = duration } }

  /// Forwards single bytes.
  package func split(_ isSplit: Bool, _ direction: Direction) { set(direction) { $0.isSplit = isSplit } }

  /// Forwards nothing until `release`.
  package func hold(_ direction: Direction) { set(direction) { $0.isHeld = true } }

  /// Forwards the held bytes, and all later ones.
  package func release(_ direction: Direction) { set(direction) { $0.isHeld = false } }

  /// Forwards this number of bytes, then cuts all connections. New connections are not affected.
  package func cut(after bytes: Int, _ direction: Direction) { set(direction) { $0.left = bytes } }

  /// Cuts all connections now.
  package func cutAll() { changes.change(Self.cutAll) }

  /// Holds bytes to the server on the existing connections, or only on the one that last received some.
  package func holdLines(onlyLast: Bool = false) {
    changes.change { state in
      state.heldLines = onlyLast ? state.heldLines.filter { $0 == state.lastClient } : state.clients
    }
  }

  /// Delivers all held bytes, also of clients that have disconnected long ago.
  package func releaseLines() { changes.change { $0.heldLines = [] } }

  /// Ends all connections for the clients. For the server they stay until all received bytes are delivered.
  package func hangUp() { changes.change { state in for client in state.clients { Loopback.reset(client) } } }

  /// Calls a write, holds its bytes, and ends all connections for the clients. `releaseLines` delivers the bytes.
  package func lose(_ write: @Sendable () async -> Void) async {
    let before = received(.toServer)
    holdLines()
    async let end: Void = write()
    await until { self.received(.toServer) > before }
    hangUp()
    await end
  }

  /// Directs new connections to another server.
  package func turn(to port: Int) { changes.change { $0.target = port } }

  /// Cuts all connections, and refuses new ones.
  package func stop() {
    changes.change { state in
      Self.cutAll(&state)
      if !state.isStopped { shutdown(listener, Int32(SHUT_RDWR)) }
      state.isStopped = true
    }
  }

  /// The number of connections so far.
  package var accepted: Int { changes.read { $0.accepted } }

  /// The number of open connections.
  package var lines: Int { changes.read { $0.sockets.count / 2 } }

  /// Returns the number of bytes forwarded.
  package func passed(_ direction: Direction) -> Int { changes.read { $0.ways[direction]?.passed ?? 0 } }

  /// Returns the number of bytes received in one direction, forwarded or not.
  package func received(_ direction: Direction) -> Int { changes.read { $0.ways[direction]?.received ?? 0 } }

  private func set(_ direction: Direction, _ body: (inout Way) -> Void) {
    changes.change { body(&$0.ways[direction, default: Way()]) }
  }

  // MARK: Forwarding

  /// Removing a connection from `sockets` cuts it: its pumps wake up, and close it so that both sides see an error.
  private static func cutAll(_ state: inout State) {
    for socket in state.sockets { Loopback.reset(socket) }
    state.sockets = []
    state.heldLines = []
  }

  private static func serve(_ listener: Int32, _ changes: Changes<State>) {
    defer { close(listener) }
    while true {
      let client = accept(listener, nil, nil)
      if client < 0 { return }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      Loopback.setOption(client, Int32(IPPROTO_TCP), TCP_NODELAY)
      let server: Int32
      do { server = try Loopback.connect(to: changes.read { $0.target }) } catch {
        // For the client, the connection breaks at once.
        Loopback.reset(client)
        close(client)
        continue
      }
      changes.change { state in
        state.accepted += 1
        state.sockets.formUnion([client, server])
        state.clients.insert(client)
        if state.isStopped { cutAll(&state) }
      }
      let pumps = Changes(2)
      for (source, sink, direction) in [(client, server, Direction.toServer), (server, client, .toClient)] {
        Thread.detachNewThread {
          pump(from: source, to: sink, direction, changes)
          // The pump that ends last closes both sockets.
          let left = pumps.change { left in
            left -= 1
            return left
          }
          if left > 0 { return }
          changes.change { state in
            state.sockets.subtract([client, server])
            state.clients.remove(client)
            state.heldLines.remove(client)
          }
          close(client)
          close(server)
        }
      }
    }
  }

  private static func pump(
    from source: Int32, to sink: Int32, _ direction: Direction, _ changes: Changes<State>
  ) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let delay = changes.change { state in
        state.ways[direction]?.received += count
        if direction == .toServer { state.lastClient = source }
        return state.ways[direction]?.delay ?? .zero
      }
      if delay > .zero { usleep(UInt32(delay / .microseconds(1))) }
      var sent = 0
      while sent < count {
        // The number of bytes to forward now; 0 if the connection is cut.
        let piece: Int = changes.wait { state -> Int? in
          guard state.sockets.contains(source), let way = state.ways[direction] else { return 0 }
          if direction == .toServer, state.heldLines.contains(source) { return nil }
          return way.isHeld ? nil : min(way.isSplit ? 1 : count - sent, way.left ?? .max)
        }
        if piece == 0 { return }
        let isLast = changes.change { state in
          state.ways[direction]?.passed += piece
          guard let left = state.ways[direction]?.left else { return false }
          state.ways[direction]?.left = left == piece ? nil : left - piece
          return left == piece
        }
        let isSent = buffer.withUnsafeBytes { bytes in
          send(sink, bytes.baseAddress.map { $0 + sent }, piece, Loopback.noSignal) == piece
        }
        if !isSent { break }
        sent += piece
        if isLast { changes.change(cutAll) }
      }
      if sent < count { break }
    }
    end(source, sink)
  }

  private static func end(_ source: Int32, _ sink: Int32) {
    shutdown(sink, Int32(SHUT_WR))
    shutdown(source, Int32(SHUT_RD))
  }
}
