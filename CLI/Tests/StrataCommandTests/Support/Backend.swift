import Foundation
import Testing

/// A backend of the command, with a place for a store of it.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
  case disk, files, sqlite, lmdb, rocksdb, redis, vault

  var testDescription: String { rawValue }

  /// Those with files that can be opened in the test too.
  static let local: [Backend] = [.disk, .files, .sqlite, .lmdb, .rocksdb]

  /// Returns the address of a store in the test's folder, and makes what the store needs.
  func address(_ name: String, in strata: Strata) throws -> String {
    switch self {
    case .disk: return "disk:\(name)"
    case .files: return "disk:\(name)?layout=files"
    case .sqlite: return "sqlite:\(name).db"
    case .lmdb: return "lmdb:\(name)-lmdb"
    case .rocksdb: return "rocksdb:\(name)-rocks"
    case .redis: return "unix://\(try RedisServer.shared.get().socket)?namespace=\(UUID().uuidString)"
    case .vault:
      let key = strata.place.appending(path: "key")
      if !FileManager.default.fileExists(atPath: key.path) {
        try Data((0..<32).map { UInt8($0) }).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
      }
      return "vault:\(name).vault?service=test"
    }
  }

  /// The command for stores of this backend.
  func prepared(_ strata: Strata) -> Strata {
    var strata = strata
    if self == .vault { strata.environment["STRATA_KEY_FILE"] = "key" }
    return strata
  }
}

/// A Redis server that all tests share; it ends with this process.
struct RedisServer {
  let socket: String

  static let shared = Result { try RedisServer() }

  private init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "strata-cli-redis-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    socket = folder.appending(path: "redis.sock").path
    let server = Process()
    // The shell ends the server when this process, which holds the other end of the pipe, has gone. Both inherit this
    // thread's blocked signals, so that only SIGKILL is certain to reach the server.
    server.executableURL = URL(filePath: "/bin/sh")
    server.arguments = [
      "-c",
      "redis-server --port 0 --unixsocket '\(socket)' --save '' --appendonly no --dir '\(folder.path)' >/dev/null & "
        + "read -r line; kill -9 $!; rm -rf '\(folder.path)'",
    ]
    // No child may keep the pipe open.
    _ = fcntl(Self.life.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    server.standardInput = Self.life
    try server.run()
    // A connection that is refused at once says that the server is not there yet.
    let end = Date().addingTimeInterval(20)
    while !FileManager.default.fileExists(atPath: socket) {
      if Date() > end { throw Missing() }
      sched_yield()
    }
  }

  private struct Missing: Error, CustomStringConvertible {
    var description: String { "redis-server did not start within 20 s" }
  }

  private static let life = Pipe()
}
