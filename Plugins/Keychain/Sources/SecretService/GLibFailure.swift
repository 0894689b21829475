#if os(Linux)
  internal import CSecret
  import StrataDelegate

  /// An error that GLib reported.
  struct GLibFailure: Error {
    let domain: String
    let code: Int
    let message: String

    /// Takes over an error, and frees it.
    init(_ error: UnsafeMutablePointer<GError>?) {
      guard let error else {
        domain = "g-io-error-quark"
        code = Int(G_IO_ERROR_FAILED.rawValue)
        message = "unknown error"
        return
      }
      domain = String(cString: g_quark_to_string(error.pointee.domain))
      code = Int(error.pointee.code)
      message = String(cString: error.pointee.message)
      g_error_free(error)
    }

    /// Makes a call that reports errors through a pointer, and throws the error.
    static func throwing<R>(_ call: (inout UnsafeMutablePointer<GError>?) -> R?) throws(GLibFailure) -> R {
      var error: UnsafeMutablePointer<GError>?
      let result = call(&error)
      if let result, error == nil { return result }
      throw GLibFailure(error)
    }

    private func isDBus(_ codes: GDBusError...) -> Bool {
      domain == "g-dbus-error-quark" && codes.contains { Int($0.rawValue) == code }
    }
    private func isIO(_ codes: GIOErrorEnum...) -> Bool {
      domain == "g-io-error-quark" && codes.contains { Int($0.rawValue) == code }
    }
    private func isSecret(_ codes: SecretError...) -> Bool {
      domain == "secret-error" && codes.contains { Int($0.rawValue) == code }
    }

    /// Whether the service or connection is gone, so that a new connection may succeed.
    var isStale: Bool {
      isIO(G_IO_ERROR_CLOSED, G_IO_ERROR_BROKEN_PIPE)
        || isDBus(
          G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_NO_REPLY,
          G_DBUS_ERROR_DISCONNECTED)
    }

    /// Whether the object no longer exists.
    var isAbsent: Bool {
      isSecret(SECRET_ERROR_NO_SUCH_OBJECT)
        || isDBus(G_DBUS_ERROR_UNKNOWN_OBJECT, G_DBUS_ERROR_UNKNOWN_METHOD, G_DBUS_ERROR_UNKNOWN_INTERFACE)
    }

    /// The cause of the store's errors.
    var cause: KeychainFailure { KeychainFailure(domain: domain, code: code, message: message) }

    /// The corresponding error of a store.
    var storageError: StorageError {
      let (error, advice): (StorageError, String) =
        if isSecret(SECRET_ERROR_IS_LOCKED) || message.contains("IsLocked") {
          (.locked, "the collection was locked meanwhile; unlock it and try again")
        } else if isDBus(G_DBUS_ERROR_ACCESS_DENIED, G_DBUS_ERROR_AUTH_FAILED) {
          (.denied, "the session bus or the service refused this program")
        } else if isDBus(G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER) {
          (
            .unreachable,
            "no Secret Service runs in this session: start one (GNOME Keyring, KWallet, KeePassXC) or choose "
              + "another place, such as a vault"
          )
        } else if isDBus(
          G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT, G_DBUS_ERROR_DISCONNECTED)
          || isIO(G_IO_ERROR_TIMED_OUT, G_IO_ERROR_CLOSED, G_IO_ERROR_BROKEN_PIPE)
        {
          (.unreachable, "the Secret Service has ended, or does not answer: start it again")
        } else {
          (.backendFailed, "the Secret Service refused the operation")
        }
      return error.with("\(advice) (\(message))", cause: cause)
    }

    /// The error of a failed connection to the bus.
    var noBus: StorageError {
      if isIO(G_IO_ERROR_CANCELLED) {
        return .unreachable.with(
          "the session bus does not answer: restart it or choose another place, such as a vault", cause: cause
        )
      }
      return .unreachable.with(
        "there is no session bus: run in a desktop session, set $DBUS_SESSION_BUS_ADDRESS, or choose another place, a "
          + "vault say (\(message))",
        cause: cause)
    }
  }
#endif
