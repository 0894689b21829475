#if os(Linux)
  internal import CKeyutils
  import StrataCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Secrets as keys in a keyring of the kernel, each with its account in its description.
  ///
  /// A save makes a new key, complete with its timeout, where nobody else sees it, and links it in place of the old one: that is
  /// one step of the kernel, and a key that somebody found never changes.
  struct KernelKeys: SecretPlace {
    let keyring: KernelKeyring

    var name: String { "the kernel's \(keyring) keyring" }

    func read(_ accounts: [String], of service: String) throws -> [String: StoredSecret] {
      var found: [String: StoredSecret] = [:]
      for account in accounts {
        if let key = try find(KernelKeyName(keyring, service, account)) {
          found[account] = try KernelCall.withPayload(of: key, SecretEnvelope.secret)
        }
      }
      return found
    }

    func dates(of service: String) throws -> [String: Double?] {
      var dates: [String: Double?] = [:]
      for entry in try entries(of: service) { dates[entry.account] = .some(entry.date) }
      return dates
    }

    func save(_ secrets: [String: Data], until deadline: Deadline?, of service: String) throws {
      for (account, secret) in secrets {
        let name = KernelKeyName(keyring, service, account)
        let envelope = SecretEnvelope.make(
          secret, date: deadline?.date, account: name.isWhole ? nil : account)
        try store(UnsafeRawBufferPointer(envelope.buffer), as: name, seconds: deadline?.remaining)
      }
    }

    func delete(_ accounts: [String], of service: String) throws {
      for account in accounts {
        if let key = try find(KernelKeyName(keyring, service, account)) { try remove(key) }
      }
    }

    func deleteAll(of service: String) throws {
      for (key, _) in try keys(of: service) { try remove(key) }
    }

    func sweep(_ service: String, at now: Double) throws {
      for entry in try entries(of: service) where entry.date.map({ $0 <= now }) ?? false {
        try remove(entry.key)
      }
    }
  }

  extension KernelKeys {
    private func find(_ name: KernelKeyName) throws -> key_serial_t? {
      try KernelCall.unlessAbsent("find") {
        Int(keyctl_search(keyring.serial, KernelCall.type, name.description, 0))
      }.map { key_serial_t($0) }
    }

    private func store(_ bytes: UnsafeRawBufferPointer, as name: KernelKeyName, seconds: Double?) throws {
      guard bytes.count <= KernelCall.largest else {
        throw StorageError.tooLarge.with(
          "the kernel keeps \(KernelCall.largest) bytes at most, and with its date the secret has \(bytes.count); "
            + "keep it in a vault")
      }
      // The keyring of this thread is its own, and not looked at by anybody.
      let desk = KEY_SPEC_THREAD_KEYRING
      let key = key_serial_t(
        try KernelCall.result("store") {
          Int(add_key(KernelCall.type, name.description, bytes.baseAddress, bytes.count, desk))
        })
      // After the link, the key stays in the keyring where it belongs.
      defer { keyctl_unlink(key, desk) }
      if keyring == .user {
        // A process that was started without the user's keyring in its session can then use it, too.
        _ = try KernelCall.result("store") { Int(keyctl_setperm(key, KernelCall.userPermissions)) }
      }
      if let seconds, seconds < Double(UInt32.max) {
        // Not too early, and never 0, which would be no timeout.
        let timeout = UInt32(max(seconds.rounded(.up), 1))
        _ = try KernelCall.result("store") { Int(keyctl_set_timeout(key, timeout)) }
      }
      _ = try KernelCall.result("store") { Int(keyctl_link(key, keyring.serial)) }
    }

    /// Removes this very key. To unlink it would also remove one that took its place meanwhile: the kernel goes by the name.
    private func remove(_ key: key_serial_t) throws {
      _ = try KernelCall.unlessAbsent("remove") { Int(keyctl_invalidate(key)) }
    }

    /// The keys of a service, and what they are called.
    private func keys(of service: String) throws -> [(key: key_serial_t, description: String)] {
      let prefix = KernelKeyName.prefix(keyring, service)
      var keys: [(key_serial_t, String)] = []
      for key in try KernelCall.serials(in: keyring.serial) {
        guard let description = try KernelCall.description(of: key), description.hasPrefix(prefix) else {
          continue
        }
        keys.append((key, description))
      }
      return keys
    }

    private func entries(of service: String) throws -> [(key: key_serial_t, account: String, date: Double?)] {
      try keys(of: service).compactMap { key, description in
        guard let contents = try KernelCall.withPayload(of: key, SecretEnvelope.open),
          let account = contents.account ?? KernelKeyName.account(in: description)
        else { return nil }
        return (key, account, contents.date)
      }
    }
  }
#endif
