#if os(Linux)
  import Foundation
  import Glibc
  @testable import StrataKeychain
  import TestSupport

  /// A private session: a bus and GNOME's keyring daemon, with folders of their own.
  final class SecretSession: Sendable {
    static let areProgramsInstalled: Bool = ["dbus-daemon", "gnome-keyring-daemon"].allSatisfy { program in
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        access("\($0)/\(program)", X_OK) == 0
      }
    }

    private let folder: URL
    private let bus: Program
    private let daemon = Locked<Program?>(nil)

    init(withService: Bool = true) throws {
      let path = try Self.makeFolder()
      folder = URL(filePath: path)
      let configuration = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>session</type><listen>unix:path=\(path)/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
        <allow own="*"/></policy></busconfig>
        """
      try Data(configuration.utf8).write(to: folder.appending(path: "bus.conf"))
      bus = try Program([
        "dbus-daemon", "--config-file=\(path)/bus.conf", "--nofork", "--nopidfile", "--print-address",
      ])
      // Its socket exists a moment before it listens; the address is printed afterwards.
      try wait { try String(decoding: bus.printed, as: UTF8.self).contains("unix:path=") }
      if withService { try startService() }
    }

    deinit { end() }

    /// A folder with a short name, as names of sockets require. It is in memory if possible, since the service syncs
    /// each save.
    static func makeFolder() throws -> String {
      let root = TemporaryFolder.memory?.path ?? "/tmp"
      var name = Array("\(root)/strata-XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
      return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private var path: String { folder.path }
    var address: String { "unix:path=\(path)/bus" }

    func place(mayPrompt: Bool = false, collection: String? = nil) -> KeychainPlace {
      .secretService(collection: collection, mayPrompt: mayPrompt, bus: address)
    }

    /// Starts the service with its default collection. The password unlocks the collection, and creates it if it is
    /// missing.
    func startService() throws {
      // The socket of a killed service would prevent the start.
      let run = folder.appending(path: "run")
      if FileManager.default.fileExists(atPath: run.path) { try FileManager.default.removeItem(at: run) }
      var environment = ProcessInfo.processInfo.environment
      environment["DBUS_SESSION_BUS_ADDRESS"] = address
      for (variable, name) in [
        "HOME": "home", "XDG_RUNTIME_DIR": "run", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config",
        "XDG_CACHE_HOME": "cache",
      ] {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        environment[variable] = url.path
      }
      let words = ["gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock"]
      let program = try Program(words, environment: environment, input: Data("a password".utf8))
      daemon.withLock { $0 = program }
      // Uses a separate connection, so that the tests' own connections stay unaffected.
      let probe = KeychainAccounts<String>(service: "probe", in: place(mayPrompt: true))
      try wait {
        do { _ = try probe.keys() } catch StorageError.unreachable { return false }
        return true
      }
    }

    /// Kills the service.
    func killService() {
      daemon.withLock { daemon in
        daemon?.signal(SIGKILL)
        daemon?.wait()
        daemon = nil
      }
    }

    func killBus() {
      bus.signal(SIGKILL)
      bus.wait()
    }

    func lockCollection() throws {
      try run(
        "org.freedesktop.Secret.Service.Lock", "[objectpath '/org/freedesktop/secrets/collection/login']")
    }

    /// The default collection, through a separate connection.
    func items(mayPrompt: Bool) throws -> SecretItems {
      let connection = try SecretConnection(bus: address, mayPrompt: mayPrompt)
      guard let path = try connection.defaultCollection() else {
        throw SessionFailure(said: "no default collection")
      }
      return SecretItems(connection: connection, path: path)
    }

    /// Stores bytes as another program would.
    func store(_ secret: Data, service: String, account: String) throws {
      let items = try items(mayPrompt: false)
      let bytes = WipedBytes(secret.count)
      bytes.buffer.copyBytes(from: secret)
      try items.save(
        bytes, label: "foreign",
        [("xdg:schema", "strata.Secret"), ("service", service), ("account", account)])
    }

    private func run(_ method: String, _ argument: String) throws {
      let result = try Program.run([
        "gdbus", "call", "--address", address, "--dest", "org.freedesktop.secrets", "--object-path",
        "/org/freedesktop/secrets", "--method", method, argument,
      ])
      guard result.end == .exit(0) else {
        throw SessionFailure(said: String(decoding: result.printed, as: UTF8.self))
      }
    }

    private func end() {
      killService()
      killBus()
      do { try FileManager.default.removeItem(at: folder) } catch {
        print("left behind: \(folder): \(error)")
      }
    }

    private func wait(until condition: () throws -> Bool) throws {
      if try waited(until: condition) { return }
      let said = try bus.printed + (daemon.withLock { try $0?.printed } ?? Data())
      throw SessionFailure(said: String(decoding: said, as: UTF8.self))
    }
  }

  /// The session did not start; contains the output of its programs.
  struct SessionFailure: Error { let said: String }
#endif
