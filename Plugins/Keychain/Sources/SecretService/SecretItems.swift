#if os(Linux)
  internal import CSecret
  import StrataCore

  /// A collection of a Secret Service, by its path on the bus. All that fails throws a `GLibFailure`.
  struct SecretItems {
    let connection: SecretConnection
    let path: String

    var isLocked: Bool {
      get throws {
        try property("Locked", of: path, "org.freedesktop.Secret.Collection").isTrue
      }
    }

    /// The items with some attributes.
    func find(_ attributes: [(String, String)]) throws -> [String] {
      let found = try connection.call(
        path, "org.freedesktop.Secret.Collection", "SearchItems", Variant.tuple([Variant.texts(attributes)]))[
          0]
      return (0..<found.count).map { found[$0].text }
    }

    /// An attribute of an item; `nil` if the item has none such, or is gone.
    func attribute(_ name: String, of item: String) throws -> String? {
      let all: Variant
      do { all = try property("Attributes", of: item, "org.freedesktop.Secret.Item") } catch let failure
        as GLibFailure where failure.isAbsent
      { return nil }
      for index in 0..<all.count where all[index][0].text == name { return all[index][1].text }
      return nil
    }

    /// Lends the contents of those items that are there and not locked.
    func contents<R>(
      of items: [String], _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> [String: R] {
      if items.isEmpty { return [:] }
      var paths = items.map { UnsafePointer(strdup($0)) } + [nil]
      defer { for path in paths { free(UnsafeMutablePointer(mutating: path)) } }
      let table = try GLibFailure.throwing {
        secret_service_get_secrets_for_dbus_paths_sync(connection.service, &paths, nil, &$0)
      }
      defer { g_hash_table_unref(table) }
      var found: [String: R] = [:]
      for item in items {
        guard let value = g_hash_table_lookup(table, item) else { continue }
        var size: gsize = 0
        let bytes = secret_value_get(OpaquePointer(value), &size)
        found[item] = try body(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
      }
      return found
    }

    /// Makes an item, or puts a secret in the place of the one with the same attributes, in one step.
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

    /// Deletes an item, if it is still there.
    func delete(_ item: String) throws {
      var error: UnsafeMutablePointer<GError>?
      let isDone = secret_service_delete_item_dbus_path_sync(connection.service, item, nil, &error)
      if isDone != 0 { return }
      let failure = GLibFailure(error)
      if !failure.isAbsent { throw failure }
    }

    /// Asks for the collection to be unlocked, and says whether it is. Waits for the user, if one is asked.
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
