import Foundation
import StrataCore
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A real Redis server on a loopback port, with its own folder. It is not persistent by default.
///
/// It ends with the object, and with the test process, however that ends.
final class RedisServer: Sendable {
  private struct State {
    var process: pid_t?
    var options: [String]
  }

  /// Starts a sentinel that monitors a primary by the name `mymaster`. It decides alone, after a short time, that the
  /// primary has failed.
  static func sentinel(of primary: RedisServer) async throws -> RedisServer {
    let sentinel = try await RedisServer(["SENTINEL", "\(primary.port)"])
    // By default a sentinel queries its servers every ten seconds, waits eight seconds before it reconfigures a running
    // server, and pauses for thirty when the machine was busy. Before Redis 7 these times cannot be changed.
    if isBefore7 { return sentinel }
    try await sentinel.run(
      "SENTINEL", "DEBUG", "INFO-PERIOD", "100", "PING-PERIOD", "100", "PUBLISH-PERIOD", "100", "TILT-PERIOD",
      "100")
    return sentinel
  }

  /// Whether the installed server lacks the commands of Redis 7.
  static let isBefore7: Bool = {
    guard let pipe = popen("redis-server --version", "r") else { return false }
    defer { pclose(pipe) }
    var line = [CChar](repeating: 0, count: 200)
    guard fgets(&line, CInt(line.count), pipe) != nil else { return false }
    return String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self).contains(" v=6.")
  }()

  let port: Int
  let folder: TemporaryFolder
  private let state: Locked<State>

  /// Starts a server, and waits until it is ready. `options` are passed to `redis-server`, for example
  /// `"--requirepass", "secret"`.
  init(_ options: [String] = []) async throws {
    let folder = TemporaryFolder()
    let (port, process) = try await onThread {
      // Another process may take the port meanwhile: then another port is tried.
      for _ in 0..<20 {
        let port = try Self.freePort()
        if let process = try Self.start(port, options, in: folder) { return (port, process) }
      }
      throw CannotStart(reason: "no redis-server came up. It said: \(Self.log(in: folder).text)")
    }
    self.port = port
    self.folder = folder
    state = Locked(State(process: process, options: options))
  }

  deinit { kill() }

  /// Another port, for a server that needs two.
  var secondPort: Int { Self.secondPort(port) }

  private static func secondPort(_ port: Int) -> Int { port - 5000 }

  // MARK: Faults

  /// Kills the server like `kill -9`, and waits until its process has ended. Does nothing if it is not running.
  func kill() {
    guard let process = state.withLock({ state in take(&state.process) }) else { return }
    ServerLog.end(process, by: SIGKILL)
  }

  /// Stops the server: connections stay open, and nothing is answered.
  func freeze() { send(SIGSTOP) }

  /// Resumes the server.
  func thaw() { send(SIGCONT) }

  /// Restarts a killed server on the same port and in the same folder, optionally with other options.
  ///
  /// - Parameter waits: Whether to wait until it is ready. A server with much data takes a while.
  func restart(_ options: [String]? = nil, waits: Bool = true) async throws {
    let (port, folder) = (port, folder)
    let options = state.withLock { state in
      if let options { state.options = options }
      return state.options
    }
    let process = try await onThread { try Self.start(port, options, in: folder, waits: waits) }
    guard let process else { throw CannotStart(reason: "redis-server did not come up again: \(log)") }
    state.withLock { $0.process = process }
  }

  /// Kills and restarts the server, which is then loading its data.
  ///
  /// It takes 50 ms for each key, and answers in between. With 2 000 incompressible keys of 2 kB that is 100 s, so that
  /// no test ends later. `endLoading` ends it.
  func restartLoading() async throws {
    try await run("SAVE")
    kill()
    let often = Self.isBefore7 ? [] : ["--loading-process-events-interval-bytes", "1024"]
    try await restart(["--key-load-delay", "50000"] + often, waits: false)
  }

  /// Makes the server load the rest at once.
  func endLoading() async throws { try await run("CONFIG", "SET", "key-load-delay", "0") }

  private func send(_ number: Int32) {
    guard let process = state.withLock({ $0.process }) else { return }
    _ = signal(process, number)
  }

  /// Whether the server has not been killed.
  var isRunning: Bool { state.withLock { $0.process != nil } }

  // MARK: Queries

  /// Returns a connection that shares no code with the client under test.
  func raw() throws -> RawRedis { try RawRedis(port: port) }

  /// Executes one command over a new connection.
  @discardableResult
  func run(_ words: String...) async throws -> RawRedis.Reply {
    let port = port
    return try await onThread { try RawRedis(port: port).run(words) }
  }

  /// Waits until a replica has received all writes so far.
  func untilReplicated() async throws {
    // WAIT would only check writes of its own connection.
    func number(after name: String) async throws -> Int? {
      let info = try await run("INFO", "replication").text ?? ""
      return info.range(of: name).flatMap { Int(info[$0.upperBound...].prefix(while: \.isNumber)) }
    }
    let written = try await number(after: "master_repl_offset:") ?? 0
    try await eventually { try await number(after: ",offset=") ?? -1 >= written }
  }

  /// The output of the server since its last start.
  var log: String { Self.log(in: folder).text }

  // MARK: Starting

  private static func log(in folder: TemporaryFolder) -> ServerLog {
    ServerLog(folder.url.appending(path: "log"))
  }

  /// Returns the process, or `nil` if it ended at once because the port is in use.
  private static func start(
    _ port: Int, _ options: [String], in folder: TemporaryFolder, waits: Bool = true
  ) throws -> pid_t? {
    if options.first == "SENTINEL" {
      let lines = [
        "sentinel monitor mymaster 127.0.0.1 \(options[1]) 1",
        "sentinel down-after-milliseconds mymaster 500",
        "sentinel failover-timeout mymaster 3000", "port \(port)", "bind 127.0.0.1", "daemonize no",
        "dir \(folder.url.path(percentEncoded: false))",
      ]
      let file = folder.url.appending(path: "sentinel.conf")
      try Data(lines.joined(separator: "\n").utf8).write(to: file)
      return try log(in: folder).start(
        ["redis-server", file.path(percentEncoded: false), "--sentinel"], until: "+monitor master")
    }
    let own = [
      "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir",
      folder.url.path(percentEncoded: false),
      "--save", "", "--appendonly", "no", "--daemonize", "no",
    ]
    // Before Redis 7 the command is always enabled.
    let debugging = isBefore7 ? [] : ["--enable-debug-command", "local"]
    let given = options.map {
      $0.replacingOccurrences(of: "PORT", with: "\(port)")
        .replacingOccurrences(of: "SECOND", with: "\(secondPort(port))")
    }
    let sign = waits ? "Ready to accept connections" : "Server initialized"
    return try log(in: folder).start(own + debugging + given, until: sign)
  }

  /// Returns a free port below the range that the system assigns to connections, so that none of them takes it while
  /// the server is down. The port of the cluster bus, 10 000 above, is free too.
  private static func freePort() throws -> Int {
    for _ in 0..<1000 {
      let port = Int.random(in: 11_000..<22_000)
      if isFree(port) && isFree(port + 10_000) { return port }
    }
    throw CannotStart(reason: "no port of the loopback is free")
  }

  private static func isFree(_ port: Int) -> Bool {
    let socket = Loopback.socket()
    defer { close(socket) }
    return Loopback.withAddress(port: port) { bind(socket, $0, $1) } == 0
  }
}

private func signal(_ process: pid_t, _ number: Int32) -> Int32 {
  #if canImport(Darwin)
    Darwin.kill(process, number)
  #else
    Glibc.kill(process, number)
  #endif
}

private func take<Value>(_ value: inout Value?) -> Value? {
  defer { value = nil }
  return value
}
