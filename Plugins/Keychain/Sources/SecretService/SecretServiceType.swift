#if os(Linux)
  internal import CSecret

  /// Subclasses of libsecret's service that use a given connection, with and without prompts for the user.
  ///
  /// libsecret's own service uses the connection that GLib shares in the program, and always prompts.
  enum SecretServiceType {
    /// The name of the service on the bus.
    static let name = "org.freedesktop.secrets"
    /// The path of the service's object, and its interface.
    static let path = "/org/freedesktop/secrets"
    static let interface = "org.freedesktop.Secret.Service"

    private static let prompting = register("StrataPromptingSecretService") { type, _ in
      SecretServiceType.standOnGivenConnection(type)
    }

    private static let quiet = register("StrataQuietSecretService") { type, _ in
      SecretServiceType.standOnGivenConnection(type)
      // libsecret's synchronous functions call these asynchronous ones too.
      let service = type?.assumingMemoryBound(to: SecretServiceClass.self)
      service?.pointee.prompt_async = { service, _, _, cancellable, callback, data in
        let task = g_task_new(service, cancellable, callback, data)
        let reason = "the service requires a prompt, which this connection does not show"
        g_task_return_error(
          task, g_error_new_literal(secret_error_get_quark(), CInt(SECRET_ERROR_IS_LOCKED.rawValue), reason))
        g_object_unref(task.map { UnsafeMutableRawPointer($0) })
      }
      service?.pointee.prompt_finish = { _, result, error in
        g_task_propagate_pointer(result, error).map { OpaquePointer($0) }
      }
    }

    private static func register(_ name: String, _ start: @escaping GClassInitFunc) -> GType {
      var parent = GTypeQuery()
      g_type_query(secret_service_get_type(), &parent)
      return g_type_register_static_simple(
        secret_service_get_type(), name, parent.class_size, start, parent.instance_size, nil,
        GTypeFlags(rawValue: 0))
    }

    /// libsecret's constructor replaces a given connection by the shared one. This calls the constructor of its
    /// superclass, the proxy, which keeps the given connection.
    private static func standOnGivenConnection(_ type: gpointer?) {
      type?.assumingMemoryBound(to: GObjectClass.self).pointee.constructor = { type, count, properties in
        let proxy = g_type_class_ref(g_dbus_proxy_get_type())
        defer { g_type_class_unref(proxy) }
        return proxy?.assumingMemoryBound(to: GObjectClass.self).pointee.constructor(type, count, properties)
      }
    }

    /// Returns the bus name of the service's owner. The caller must free it.
    static func owner(of service: UnsafeMutablePointer<SecretService>) -> UnsafeMutablePointer<CChar>? {
      UnsafeMutableRawPointer(service).withMemoryRebound(to: GDBusProxy.self, capacity: 1) {
        g_dbus_proxy_get_name_owner($0)
      }
    }

    /// Creates a service on a connection, and opens a session.
    static func make(
      on bus: OpaquePointer, mayPrompt: Bool
    ) throws(GLibFailure) -> UnsafeMutablePointer<SecretService> {
      let text = g_type_from_name("gchararray")
      var values: [(name: String, value: GValue)] = [
        ("g-connection", GValue()), ("flags", GValue()), ("g-name", GValue()), ("g-object-path", GValue()),
        ("g-interface-name", GValue()),
      ]
      g_value_init(&values[0].value, g_dbus_connection_get_type())
      g_value_set_object(&values[0].value, UnsafeMutableRawPointer(bus))
      g_value_init(&values[1].value, secret_service_flags_get_type())
      g_value_set_flags(&values[1].value, SECRET_SERVICE_OPEN_SESSION.rawValue)
      for (index, content) in [name, path, interface].enumerated() {
        g_value_init(&values[index + 2].value, text)
        g_value_set_string(&values[index + 2].value, content)
      }
      defer { for index in values.indices { g_value_unset(&values[index].value) } }
      var names = values.map { UnsafePointer(strdup($0.name)) }
      defer { for name in names { free(UnsafeMutablePointer(mutating: name)) } }
      let object = g_object_new_with_properties(
        mayPrompt ? prompting : quiet, guint(values.count), &names, values.map(\.value))
      var error: UnsafeMutablePointer<GError>?
      guard let object, g_initable_init(OpaquePointer(object), nil, &error) != 0 else {
        g_object_unref(object)
        throw GLibFailure(error)
      }
      return UnsafeMutableRawPointer(object).assumingMemoryBound(to: SecretService.self)
    }
  }
#endif
