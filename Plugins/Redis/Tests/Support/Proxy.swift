import Foundation
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A line to a server that can be made as bad as lines are: slow, in pieces, held up, cut.
///
/// What is set holds for the lines that there are and for those to come, until it is set again.
final class Proxy: Sendable {
  enum Direction: CaseIterable { case toServer, toClient }

  /// What becomes of bytes in one direction.
  private struct Way {
    var delay = Duration.zero
    var isSplit = false
    var isHeld = false
    /// How many bytes may still pass before all lines are cut.
    var left: Int?
    var passed = 0
    /// How many bytes have come, passed on or not.
    var received = 0
  }

  private struct State {
    var ways = [Direction: Way](uniqueKeysWithValues: Direction.allCases.map { ($0, Way()) })
    var sockets: Set<Int32> = []
    var clients: Set<Int32> = []
    /// The lines that hold back what goes to the server, by their clients.
    var heldLines: Set<Int32> = []
    /// The line on which something came from a client last.
    var lastClient: Int32?
    var target: Int
    var accepted = 0
    var isStopped = false
  }

  let port: Int
  private let listener: Int32
  private let changes: Changes<State>

  init(to target: Int) {
    changes = Changes(State(target: target))
    let made = Loopback.listener()
    (listener, port) = made
    Thread.detachNewThread { [changes] in Self.serve(made.socket, changes) }
  }

  convenience init(to server: RedisServer) { self.init(to: server.port) }

  deinit { stop() }

  // MARK: What may happen to the line

  /// Lets each piece wait before it goes on.
  func delay(_ duration: Duration, _ direction: Direction) { set(direction) { $0.delay = duration } }

  /// Passes on single bytes.
  func split(_ isSplit: Bool, _ direction: Direction) { set(direction) { $0.isSplit = isSplit } }

  /// Passes on nothing until `release`.
  func hold(_ direction: Direction) { set(direction) { $0.isHeld = true } }

  /// Passes on what was held, and all that comes.
  func release(_ direction: Direction) { set(direction) { $0.isHeld = false } }

  /// Passes on so many more bytes, then cuts all lines. New lines are whole.
  func cut(after bytes: Int, _ direction: Direction) { set(direction) { $0.left = bytes } }

  /// Cuts all lines now.
  func cutAll() { changes.change(Self.cutAll) }

  /// Holds back what comes to the server on the lines that there are, or only on the one on which something came last.
  func holdLines(onlyLast: Bool = false) {
    changes.change { state in
      state.heldLines = onlyLast ? state.heldLines.filter { $0 == state.lastClient } : state.clients
    }
  }

  /// Delivers what lines have held back, also that of clients that have hung up long since.
  func releaseLines() { changes.change { $0.heldLines = [] } }

  /// Ends all lines as the clients see them. To the server they stay, until all that has come is delivered.
  func hangUp() { changes.change { state in for client in state.clients { Loopback.reset(client) } } }

  /// Where new lines go from now on: another server at the same address.
  func turn(to server: RedisServer) { changes.change { $0.target = server.port } }

  /// Cuts all lines, and refuses new ones.
  func stop() {
    changes.change { state in
      Self.cutAll(&state)
      if !state.isStopped { shutdown(listener, Int32(SHUT_RDWR)) }
      state.isStopped = true
    }
  }

  /// How many lines there have been.
  var accepted: Int { changes.read { $0.accepted } }

  /// How many lines there are.
  var lines: Int { changes.read { $0.sockets.count / 2 } }

  /// How many bytes have passed.
  func passed(_ direction: Direction) -> Int { changes.read { $0.ways[direction]?.passed ?? 0 } }

  /// How many bytes have come in one direction, passed on or not.
  func received(_ direction: Direction) -> Int { changes.read { $0.ways[direction]?.received ?? 0 } }

  private func set(_ direction: Direction, _ body: (inout Way) -> Void) {
    changes.change { body(&$0.ways[direction, default: Way()]) }
  }

  // MARK: Passing on

  /// A line that is no more in `sockets` is cut: its pumps wake up, and close it so that both sides see an error.
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
        // To the client, the line breaks at once.
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
          // The pump that ends last closes both.
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
        // How much may go now; 0 if the line is cut.
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
