#if os(Linux)
  internal import CSecret
  import StrataDelegate

  /// The program's connections to Secret Services, one per bus. Each is opened on first use, and again after the
  /// service or the bus has ended.
  ///
  /// The connections are private to this library: GLib terminates the program when its shared connection breaks.
  enum SecretBus {
    private struct Address: Hashable {
      let bus: String
      let mayPrompt: Bool
    }

    private static let open = Locked<[Address: SecretConnection]>([:])

    /// Returns the address of the session's bus.
    static func sessionAddress() throws -> String {
      do {
        let address = try GLibFailure.throwing {
          g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, &$0)
        }
        defer { g_free(address) }
        return String(cString: address)
      } catch { throw error.noBus }
    }

    /// Runs `body` with a connection. If the connection is stale, runs it again with a new one: `body` must be
    /// repeatable.
    static func using<R>(
      _ bus: String, mayPrompt: Bool, _ body: (SecretConnection) throws -> R
    ) throws -> R {
      let address = Address(bus: bus, mayPrompt: mayPrompt)
      do {
        guard let known = open.withLock({ $0[address] }) else { return try body(connect(address)) }
        do { return try body(known) } catch let failure as GLibFailure
          where failure.isStale || !known.isCurrent
        {
          open.withLock { open in
            if open[address] === known { open[address] = nil }
          }
        }
        return try body(connect(address))
      } catch let failure as GLibFailure { throw failure.storageError }
    }

    private static func connect(_ address: Address) throws -> SecretConnection {
      let connection = try SecretConnection(bus: address.bus, mayPrompt: address.mayPrompt)
      // Another thread may have connected at the same time: its connection stays in use, and later calls get this one.
      open.withLock { $0[address] = connection }
      return connection
    }
  }

  /// A connection to the Secret Service of one bus, with a session that encrypts secrets in transit.
  ///
  /// Unchecked: GLib's connections and libsecret's service may be used on any thread, and the pointers never change.
  final class SecretConnection: @unchecked Sendable {
    /// The same timeout as in libsecret's own calls.
    private static let timeout: CInt = 25_000

    let service: UnsafeMutablePointer<SecretService>
    let bus: OpaquePointer
    /// The unique bus name of the service that opened the session. A restarted service has another name.
    private let owner: String?

    /// - Parameter timeout: How long the bus may take to answer, in milliseconds.
    init(bus address: String, mayPrompt: Bool, timeout: CInt = timeout) throws {
      let flags = GDBusConnectionFlags(
        rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
      do {
        bus = try CallLimit.running(for: timeout) { cancellable throws(GLibFailure) in
          try GLibFailure.throwing {
            g_dbus_connection_new_for_address_sync(address, flags, nil, cancellable, &$0)
          }
        }
      } catch { throw error.noBus }
      do {
        service = try SecretServiceType.make(on: bus, mayPrompt: mayPrompt)
        let name = SecretServiceType.owner(of: service)
        defer { g_free(name) }
        owner = name.map { String(cString: $0) }
      } catch {
        g_object_unref(UnsafeMutableRawPointer(bus))
        throw error
      }
    }

    /// Whether the service that opened the session is still running. The errors of a restarted service do not show that
    /// it was restarted.
    var isCurrent: Bool {
      let parameters = Variant.tuple([g_variant_new_string(SecretServiceType.name)])
      let answer = g_dbus_connection_call_sync(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
        parameters,
        nil, G_DBUS_CALL_FLAGS_NONE, -1, nil, nil)
      return answer.map { Variant(owning: $0)[0].text } == owner
    }

    /// Returns the path of the user's default collection, or `nil` if there is none.
    ///
    /// The alias is resolved on every call. GNOME's daemon sometimes misroutes calls to the path of the alias itself
    /// while another program connects, because of a race between two of its threads.
    func defaultCollection() throws -> String? {
      let answer = try call(
        SecretServiceType.path, SecretServiceType.interface, "ReadAlias",
        Variant.tuple([g_variant_new_string("default")]))
      let path = answer[0].text
      return path == "/" ? nil : path
    }

    /// Calls a method of the service, and waits for the answer. Throws a `GLibFailure`.
    func call(
      _ path: String, _ interface: String, _ method: String, _ parameters: OpaquePointer?
    ) throws -> Variant {
      Variant(
        owning: try GLibFailure.throwing {
          g_dbus_connection_call_sync(
            bus, SecretServiceType.name, path, interface, method, parameters, nil, G_DBUS_CALL_FLAGS_NONE,
            Self.timeout, nil, &$0)
        })
    }

    deinit {
      g_object_unref(service)
      g_object_unref(UnsafeMutableRawPointer(bus))
    }
  }
#endif
