#if os(Linux)
  internal import CSecret
  import StrataDelegate

  /// A collection of a Secret Service, identified by its path on the bus. Methods throw a `GLibFailure`.
  struct SecretItems {
    let connection: SecretConnection
    let path: String

    var isLocked: Bool {
      get throws {
        try property("Locked", of: path, "org.freedesktop.Secret.Collection").isTrue
      }
    }

    /// Returns the items with these attributes.
    func find(_ attributes: [(String, String)]) throws -> [String] {
      let found = try connection.call(
        path, "org.freedesktop.Secret.Collection", "SearchItems", Variant.tuple([Variant.texts(attributes)]))[
          0]
      return (0..<found.count).map { found[$0].text }
    }

    /// Returns an attribute of an item, or `nil` if the item has no such attribute or no longer exists.
    func attribute(_ name: String, of item: String) throws -> String? {
      let all: Variant
      do { all = try property("Attributes", of: item, "org.freedesktop.Secret.Item") } catch let failure
        as GLibFailure where failure.isAbsent
      { return nil }
      for index in 0..<all.count where all[index][0].text == name { return all[index][1].text }
      return nil
    }

    /// Calls `body` with the contents of each item that exists and is not locked. Returns the results by item.
    func contents<R>(
      of items: [String], _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> [String: R] {
      if items.isEmpty { return [:] }
      // libsecret's own function for this call leaks the answer, before version 0.21.2.
      let session = g_variant_new_object_path(secret_service_get_session_dbus_path(connection.service))
      let secrets = try connection.call(
        SecretServiceType.path, SecretServiceType.interface, "GetSecrets",
        Variant.tuple([Variant.paths(items), session]))[0]
      var found: [String: R] = [:]
      for index in 0..<secrets.count {
        let secret = secrets[index][1]
        guard let value = secret_service_decode_dbus_secret(connection.service, secret.value) else {
          continue
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        var size: gsize = 0
        let bytes = secret_value_get(value, &size)
        found[secrets[index][0].text] = try body(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
      }
      return found
    }

    /// Creates an item, or atomically replaces the secret of the item with the same attributes.
    func save(_ envelope: borrowing WipedBytes, label: String, _ attributes: [(String, String)]) throws {
      let bytes = envelope.buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let value = secret_value_new(bytes, gssize(envelope.buffer.count), "application/octet-stream")
      defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
      let properties = g_hash_table_new_full(
        g_str_hash, g_str_equal, g_free, { g_variant_unref(OpaquePointer($0)) })
      defer { g_hash_table_unref(properties) }
      for (name, property) in [
        ("Label", g_variant_new_string(label)), ("Attributes", Variant.texts(attributes)),
      ] {
        g_hash_table_insert(
          properties, g_strdup("org.freedesktop.Secret.Item.\(name)"),
          UnsafeMutableRawPointer(g_variant_ref_sink(property)))
      }
      let item = try GLibFailure.throwing {
        secret_service_create_item_dbus_path_sync(
          connection.service, path, properties, value, SECRET_ITEM_CREATE_REPLACE, nil, &$0)
      }
      g_free(item)
    }

    /// Deletes an item, if it still exists.
    func delete(_ item: String) throws {
      var error: UnsafeMutablePointer<GError>?
      let isDone = secret_service_delete_item_dbus_path_sync(connection.service, item, nil, &error)
      if isDone != 0 { return }
      let failure = GLibFailure(error)
      if !failure.isAbsent { throw failure }
    }

    /// Asks the service to unlock the collection, and waits for the user if a prompt is shown. Returns whether the
    /// collection is unlocked.
    func unlock() throws -> Bool {
      var paths = [UnsafePointer(strdup(path)), nil]
      defer { free(UnsafeMutablePointer(mutating: paths[0])) }
      var error: UnsafeMutablePointer<GError>?
      let count = secret_service_unlock_dbus_paths_sync(connection.service, &paths, nil, nil, &error)
      if count == -1 { throw GLibFailure(error) }
      return try !isLocked
    }

    private func property(_ name: String, of path: String, _ interface: String) throws -> Variant {
      try connection.call(
        path, "org.freedesktop.DBus.Properties", "Get",
        Variant.tuple([g_variant_new_string(interface), g_variant_new_string(name)]))[0].unboxed
    }
  }
#endif
