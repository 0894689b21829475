#if os(Linux)
  internal import CSecret
  import StrataCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Secrets as items of a collection of the Secret Service, found by the attributes `service` and `account`.
  struct SecretServicePlace: SecretPlace {
    /// Tells our items from those of others, as libsecret's programs do.
    private static let schema = ("xdg:schema", "strata.Secret")

    /// Held while a secret is saved, or looked at for the last time before it is swept: the service itself cannot delete only
    /// what is still the same.
    private static let order = Locked(())

    let collection: String?
    let mayPrompt: Bool
    /// The address of the bus.
    let bus: String

    var name: String { "the Secret Service's \(collection ?? "default") collection" }

    func read(_ accounts: [String], of service: String) throws -> [String: StoredSecret] {
      try withItems { items in
        var found: [String: StoredSecret] = [:]
        for account in accounts {
          found[account] = try present(try items.find(attributes(service, account)), in: items).first?.secret
        }
        return found
      }
    }

    func dates(of service: String) throws -> [String: Double?] {
      try withItems { items in
        var dates: [String: Double?] = [:]
        for (item, secret) in try present(try items.find(attributes(service)), in: items) {
          guard let account = try items.attribute("account", of: item).flatMap(SecretName.plain) else {
            continue
          }
          dates[account] = .some(secret.date)
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
        for (item, secret) in try present(try items.find(attributes(service)), in: items)
        where secret.date.map({ $0 <= now }) ?? false {
          // It may have been saved anew since.
          try Self.order.withLock { _ in
            if let date = try items.secrets(of: [item])[item]?.date, date <= now { try items.delete(item) }
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

    /// The secrets of items that were found. What was deleted meanwhile is left out; if it was locked, that is thrown.
    private func present(
      _ found: [String], in items: SecretItems
    ) throws -> [(item: String, secret: StoredSecret)] {
      let secrets = try items.secrets(of: found)
      if secrets.count < found.count, try items.isLocked { throw locked("it was locked meanwhile") }
      return found.compactMap { item in secrets[item].map { (item, $0) } }
    }

    /// Does something with the collection, which is unlocked.
    private func withItems<R>(_ body: (SecretItems) throws -> R) throws -> R {
      try SecretBus.using(bus, mayPrompt: mayPrompt) { connection in
        let items = SecretItems(connection: connection, path: path)
        do {
          if try items.isLocked { try unlock(items) }
        } catch let failure as GLibFailure where failure.isAbsent { throw noCollection }
        return try body(items)
      }
    }

    private func unlock(_ items: SecretItems) throws {
      guard mayPrompt else {
        throw locked("this program may not ask for it to be unlocked; log in, or allow it with `mayPrompt`")
      }
      guard try items.unlock() else { throw locked("nobody unlocked it, though that was asked for") }
    }

    private func locked(_ reason: String) -> StorageError {
      .locked.with("the collection is locked: \(reason)")
    }

    private var noCollection: StorageError {
      collection == nil
        ? .unreachable.with(
          "the user has no default collection yet: make one in the settings of the desktop, or name another")
        : .invalidConfiguration.with("there is no such collection: make it, or name another")
    }

    private var path: String {
      "/org/freedesktop/secrets/" + (collection.map { "collection/\($0)" } ?? "aliases/default")
    }
  }
#endif
