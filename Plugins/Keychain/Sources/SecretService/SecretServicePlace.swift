#if os(Linux)
  internal import CSecret
  import StrataDelegate

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Stores secrets as items of a Secret Service collection, with the attributes `service` and `account`.
  struct SecretServicePlace: SecretPlace {
    /// Distinguishes these items from items of other programs, by the attribute that libsecret uses.
    private static let schema = ("xdg:schema", "strata.Secret")

    /// Held while a secret is saved, and during the final check before an expired one is deleted. The service has no
    /// operation that deletes an item only if it is unchanged.
    private static let order = Locked(())

    let collection: String?
    let mayPrompt: Bool
    /// The address of the bus; `nil` for the bus of the program's session.
    let bus: String?

    var name: String { "the Secret Service's \(collection ?? "default") collection" }

    func read(_ accounts: [String], of service: String) throws -> [String: StoredSecret] {
      try withItems { items in
        var found: [String: StoredSecret] = [:]
        for account in accounts {
          let item = try present(items.find(attributes(service, account)), in: items, SecretEnvelope.secret)
          found[account] = item.first?.contents
        }
        return found
      }
    }

    func dates(of service: String) throws -> [String: Double?] {
      try withItems { items in
        var dates: [String: Double?] = [:]
        let found = try present(items.find(attributes(service)), in: items, SecretEnvelope.open)
        for (item, contents) in found {
          guard let account = try items.attribute("account", of: item).flatMap(SecretName.plain) else {
            continue
          }
          dates[account] = .some(contents.date)
        }
        return dates
      }
    }

    func save(_ secrets: [String: Data], until deadline: Deadline?, of service: String) throws {
      try withItems { items in
        for (account, secret) in secrets {
          let envelope = SecretEnvelope.make(secret, date: deadline?.date)
          let label = "\(SecretName.escaped(service)): \(SecretName.escaped(account))"
          try Self.order.withLock { _ in try items.save(envelope, label: label, attributes(service, account))
          }
        }
      }
    }

    func delete(_ accounts: [String], of service: String) throws {
      try withItems { items in
        for account in accounts {
          for item in try items.find(attributes(service, account)) { try items.delete(item) }
        }
      }
    }

    func deleteAll(of service: String) throws {
      try withItems { items in
        for item in try items.find(attributes(service)) { try items.delete(item) }
      }
    }

    func sweep(_ service: String, at now: Double) throws {
      try withItems { items in
        let found = try present(items.find(attributes(service)), in: items, SecretEnvelope.open)
        for (item, contents) in found where contents.date.map({ $0 <= now }) ?? false {
          // The secret may have been saved again since it was read.
          try Self.order.withLock { _ in
            let current = try items.contents(of: [item], SecretEnvelope.open)[item]
            if let date = current?.date, date <= now { try items.delete(item) }
          }
        }
      }
    }
  }

  extension SecretServicePlace {
    private func attributes(_ service: String, _ account: String? = nil) -> [(String, String)] {
      [Self.schema, ("service", SecretName.escaped(service))]
        + (account.map { [("account", SecretName.escaped($0))] } ?? [])
    }

    /// Returns the contents of items. Items deleted meanwhile are omitted; throws if the collection was locked
    /// meanwhile.
    private func present<R>(
      _ found: [String], in items: SecretItems, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> [(item: String, contents: R)] {
      let contents = try items.contents(of: found, body)
      if contents.count < found.count, try items.isLocked {
        throw locked(
          "another program locked it meanwhile")
      }
      return found.compactMap { item in contents[item].map { (item, $0) } }
    }

    /// Runs `body` with the collection, which is unlocked first.
    private func withItems<R>(_ body: (SecretItems) throws -> R) throws -> R {
      let named = try collection.map(path(of:))
      return try SecretBus.using(bus ?? SecretBus.sessionAddress(), mayPrompt: mayPrompt) { connection in
        guard let path = try named ?? connection.defaultCollection() else {
          throw StorageError.unreachable.with(
            "the user has no default collection yet: create one in the settings of the desktop, or name a collection"
          )
        }
        let items = SecretItems(connection: connection, path: path)
        do {
          if try items.isLocked { try unlock(items) }
        } catch let failure as GLibFailure where failure.isAbsent {
          throw StorageError.invalidConfiguration.with(
            "there is no such collection: create it, or name another one", cause: failure.cause)
        }
        return try body(items)
      }
    }

    private func unlock(_ items: SecretItems) throws {
      guard mayPrompt else {
        throw locked("this program may not ask the user to unlock it; log in, or allow it with `mayPrompt`")
      }
      guard try items.unlock() else { throw locked("the user did not unlock it") }
    }

    private func locked(_ reason: String) -> StorageError {
      .locked.with("the collection is locked: \(reason)")
    }

    private func path(of collection: String) throws -> String {
      // GLib does not report an invalid path as an error.
      guard collection.wholeMatch(of: /[A-Za-z0-9_]+/) != nil else {
        throw StorageError.invalidConfiguration.with(
          "\(String(reflecting: collection)) cannot name a collection: a name consists of letters, "
            + "digits and _, as in its path on the bus")
      }
      return "/org/freedesktop/secrets/collection/\(collection)"
    }
  }
#endif
