import Foundation
import StrataCore
import StrataTestKit
import TestSupport
import Testing

@testable import StrataS3

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The servers and the client that `make deps` installs, as Python packages in their own folder.
enum S3Tools {
  static let folder = ProcessInfo.processInfo.environment["STRATA_S3_TOOLS"] ?? ".build/s3"
  static func path(_ program: String) -> String { "\(folder)/bin/\(program)" }

  static func has(_ kind: S3ServerKind) -> Bool {
    FileManager.default.isExecutableFile(atPath: path(kind.program))
  }
  static let hasPython = FileManager.default.isExecutableFile(atPath: path("python"))
}

/// The servers that the tests use. They share no code.
enum S3ServerKind: String, CaseIterable, Codable, Sendable {
  /// A simulator of AWS in Python, which keeps objects in memory. It accepts every signature.
  case moto
  /// A distributed object store, which keeps volumes on disk. It checks signatures and dates.
  case seaweed

  var program: String { self == .moto ? "moto_server" : "weed" }
  /// The minimum size of a part. SeaweedFS requires 5 MiB, as AWS does; moto, which is slower, requires less.
  var partSize: Int { self == .moto ? 64 << 10 : 5 << 20 }
  static var installed: [Self] { allCases.filter(S3Tools.has) }
  /// The servers for tests that start their own: only moto in `make test`, since SeaweedFS takes some seconds to start,
  /// and more to restart.
  static var quick: [Self] { Soak.isOn ? installed : installed.filter { $0 == .moto } }

  /// Returns a store on the shared server that uploads in the smallest parts.
  func store(_ prefix: String) async throws -> S3Storage<String> {
    var config = try await S3Server.shared(self).config(.unsigned)
    config.partSize = partSize
    return try S3Storage<String>(config: config, prefix: prefix)
  }
}

/// A real server on a loopback port, with its own folder and a bucket. It is stopped when the object is released, or
/// when the test process ends in any way.
final class S3Server: Sendable {
  static let bucket = "strata-tests"
  static let credentials = S3Credentials(accessKeyID: "AKIDSTRATA", secretAccessKey: "a-secret/of+the=tests")

  let kind: S3ServerKind
  let port: Int
  private let folder = TemporaryFolder()
  private let program: Locked<Program>

  /// The servers shared by all tests that do not disturb them.
  private static let shared = Locked<[S3ServerKind: Task<S3Server, any Error>]>([:])

  static func shared(_ kind: S3ServerKind) async throws -> S3Server {
    let task = shared.withLock { shared in
      // Both servers start at the same time, since each takes seconds.
      for kind in Set(S3ServerKind.installed + [kind]) where shared[kind] == nil {
        shared[kind] = Task { try await S3Server(kind) }
      }
      return shared[kind]
    }
    return try await #require(task).value
  }

  /// Starts a server with an empty bucket, and waits until it answers.
  init(_ kind: S3ServerKind) async throws {
    self.kind = kind
    port = try Self.freePorts()
    program = Locked(try Self.start(kind, port, in: folder))
    try await untilReady()
  }

  deinit { kill() }

  var endpoint: URL { Self.endpoint(port) }
  static func endpoint(_ port: Int) -> URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  func config(
    _ signing: S3PayloadSigning = .automatic, credentials: any S3CredentialsProvider = credentials
  ) -> S3Config {
    S3Config(bucket: Self.bucket, endpoint: endpoint, credentials: credentials, payloadSigning: signing)
  }

  // MARK: Faults

  /// Lets the launcher kill the server with `SIGKILL`.
  func kill() {
    program.withLock { program in
      program.signal(SIGTERM)
      program.wait()
    }
  }

  /// Stops the server during `body` (`SIGSTOP`): connections stay open, but nothing is answered.
  func whileStopped<R>(_ body: () async throws -> R) async throws -> R {
    try signal(SIGSTOP)
    let result: Result<R, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    try signal(SIGCONT)
    return try result.get()
  }

  /// Starts a killed server again on the same port.
  func restart() async throws {
    let new = try Self.start(kind, port, in: folder)
    program.withLock { $0 = new }
    try await untilReady()
  }

  private func signal(_ number: CInt) throws {
    let first = try program.withLock { try $0.lines.first }
    #if canImport(Darwin)
      _ = try Darwin.kill(#require(first.flatMap(pid_t.init)), number)
    #else
      _ = try Glibc.kill(#require(first.flatMap(pid_t.init)), number)
    #endif
  }

  // MARK: Starting

  /// A launcher script. It starts the server as a child that dies with it, and prints the child's process number. On
  /// `SIGTERM`, or when the test process has ended, it kills the child and removes the sockets that SeaweedFS leaves in
  /// `/tmp`, named by its ports. `Tests/contained` removes them if both are killed.
  private static let launcher = """
    import ctypes, os, signal, subprocess, sys, time
    libc = ctypes.CDLL(None)
    die = lambda: libc.prctl(1, signal.SIGKILL) if hasattr(libc, 'prctl') else None
    ports = [word[1:].split('=') for word in sys.argv if '.port' in word]
    sockets = ['/tmp/seaweedfs-%s-%s.sock' % (name.replace('.port', '').replace('.', '-'), port) for name, port in ports]
    if 'STRATA_MEMORY_FOLDER' in os.environ:
      with open(os.environ['TMPDIR'] + '/elsewhere', 'a') as elsewhere:
        elsewhere.writelines(socket + '\\n' for socket in sockets)
    parent = os.getppid()
    child = subprocess.Popen(sys.argv[1:], preexec_fn=die, stdin=subprocess.DEVNULL)
    try:
      signal.signal(signal.SIGTERM, lambda *_: sys.exit())
      print(child.pid, flush=True)
      while child.poll() is None and os.getppid() == parent:
        time.sleep(0.2)
    finally:
      signal.signal(signal.SIGTERM, signal.SIG_IGN)
      child.kill()
      child.wait()
      for socket in filter(os.path.exists, sockets):
        os.unlink(socket)
    """

  /// moto's server, with requests for one object answered in turn, as S3 answers them: moto shows an object to other
  /// threads before it has stored the object's fields, and checks the condition of a write before other writes end.
  private static let moto = """
    import threading
    from moto.s3.responses import S3Response
    from moto.server import main
    turn, answer = threading.RLock(), S3Response._key_response
    def answer_in_turn(self, *request):
      with turn:
        return answer(self, *request)
    S3Response._key_response = answer_in_turn
    main()
    """

  private static func start(_ kind: S3ServerKind, _ port: Int, in folder: TemporaryFolder) throws -> Program {
    var words = [S3Tools.path("python"), "-c", launcher]
    let path = folder.url.path(percentEncoded: false)
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = path
    switch kind {
    case .moto:
      words += [S3Tools.path("python"), "-c", moto, "-H", "127.0.0.1", "-p", "\(port)"]
      environment["S3_UPLOAD_PART_MIN_SIZE"] = "\(kind.partSize)"
      // Values up to this size stay in memory.
      environment["MOTO_S3_DEFAULT_KEY_BUFFER_SIZE"] = "\(16 << 20)"
    case .seaweed:
      let users = """
        {"identities": [{"name": "tests", "actions": ["Admin", "Read", "Write", "List"], "credentials":
          [{"accessKey": "\(credentials.accessKeyID)", "secretKey": "\(credentials.secretAccessKey)"}]}]}
        """
      try Data(users.utf8).write(to: folder.url.appending(path: "users.json"))
      words += [
        S3Tools.path(kind.program), "-v=0", "-logtostderr=true", "server", "-dir=\(path)", "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1", "-s3", "-s3.config=\(path)/users.json", "-s3.iam=false", "-s3.port=\(port)",
        "-s3.port.iceberg=0", "-s3.port.lance=0", "-s3.autoCreateBucket=false", "-debug.port=0",
        "-master.telemetry=false", "-volume.max=40", "-master.volumeSizeLimitMB=256",
      ]
      let others = [
        "s3.port.grpc", "master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port",
        "filer.port.grpc",
      ]
      words += others.enumerated().map { "-\($1)=\(port + 1 + $0)" }
    }
    return try Program(words, environment: environment)
  }

  /// Waits until the bucket exists: a server that has just started may refuse to store objects.
  private func untilReady() async throws {
    var config = config()
    config.attempts = 1
    let client = try S3Client(config: config)
    let end = ContinuousClock.now + .seconds(60)
    while true {
      do {
        _ = try await client.send(S3Request(method: "PUT"), expecting: [409])
        _ = try await client.send(S3Request(method: "PUT", name: "ready", body: Data("yes".utf8)))
        _ = try await client.delete("ready")
        return
      } catch {
        guard program.withLock({ $0.isRunning }), ContinuousClock.now < end else {
          let said = try program.withLock { try $0.lines.suffix(5) }
          throw CannotStart(reason: "\(kind) was not ready (\(error)). It said: \(said)")
        }
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Returns the first of eight consecutive free ports, below the range from which the system assigns ports to
  /// connections.
  private static func freePorts() throws -> Int {
    for _ in 0..<1000 {
      let port = Int.random(in: 22_000..<30_000)
      if (port..<port + 8).allSatisfy(isFree) { return port }
    }
    throw CannotStart(reason: "no ports of the loopback are free")
  }

  private static func isFree(_ port: Int) -> Bool {
    #if canImport(Darwin)
      let socket = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  struct CannotStart: Error { let reason: String }
}
