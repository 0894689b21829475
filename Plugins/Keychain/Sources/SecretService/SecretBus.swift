#if os(Linux)
  internal import CSecret
  import StrataCore

  /// The program's connections to Secret Services, one for each bus: made when first needed, and anew when the other
  /// side went away.
  ///
  /// They are the library's own and not the one that GLib shares: GLib ends the program when that one breaks.
  enum SecretBus {
    private struct Address: Hashable {
      let bus: String
      let mayPrompt: Bool
    }

    private static let open = Locked<[Address: SecretConnection]>([:])

    /// The bus of the session that the program runs in.
    static func sessionAddress() throws -> String {
      do {
        let address = try GLibFailure.throwing {
          g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, &$0)
        }
        defer { g_free(address) }
        return String(cString: address)
      } catch { throw error.noBus }
    }

    /// Does something with a connection; where it turns out to be stale, once more with a new one. So `body` must be
    /// what may be done twice.
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
      // Another thread may have been quicker; then both are used, and the later one from now on.
      open.withLock { $0[address] = connection }
      return connection
    }
  }

  /// A connection to the Secret Service of one bus, with a session in which secrets are encrypted on their way.
  ///
  /// Unchecked: GLib's connections and libsecret's service may be used on any thread, and the pointers never change.
  final class SecretConnection: @unchecked Sendable {
    /// libsecret waits as long in its own calls.
    private static let timeout: CInt = 25_000

    let service: UnsafeMutablePointer<SecretService>
    let bus: OpaquePointer
    /// The service that the session is with, by its name for this life of its.
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

    /// Whether the service is still the one that knows the session. One that was started anew does not say so in its
    /// errors.
    var isCurrent: Bool {
      let parameters = Variant.tuple([g_variant_new_string(SecretServiceType.name)])
      let answer = g_dbus_connection_call_sync(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
        parameters,
        nil, G_DBUS_CALL_FLAGS_NONE, -1, nil, nil)
      return answer.map { Variant(owning: $0)[0].text } == owner
    }

    /// The path of the user's default collection; `nil` if there is none.
    ///
    /// It is asked for each time. Calls to the path of the alias itself GNOME's daemon sends elsewhere now and then
    /// while another program connects: the thread that receives them looks aliases up that another thread replaces.
    func defaultCollection() throws -> String? {
      let answer = try call(
        SecretServiceType.path, SecretServiceType.interface, "ReadAlias",
        Variant.tuple([g_variant_new_string("default")]))
      let path = answer[0].text
      return path == "/" ? nil : path
    }

    /// Calls a method of the service, and waits for the answer. All that fails throws a `GLibFailure`.
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
