#if os(Linux)
  internal import CKeyutils
  import StrataDelegate

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Stores secrets as keys in a keyring of the kernel, with the account in the description.
  ///
  /// A save makes a new key with its timeout in a private keyring, and then links it in place of the old key. The link
  /// is atomic, and an existing key never changes.
  struct KernelKeys: SecretPlace {
    let keyring: KernelKeyring

    var name: String { "the kernel's \(keyring) keyring" }

    func read(_ accounts: [String], of service: String) throws -> [String: StoredSecret] {
      var found: [String: StoredSecret] = [:]
      for account in accounts {
        found[account] = try secret(of: KernelKeyName(keyring, service, account))
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
      try forEachKey(of: service) { key, _ in
        try remove(key)
        return true
      }
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

    /// Returns the secret of the key of this name, or `nil` if there is no such key.
    ///
    /// A key can be replaced between the search and the read. The search is then repeated, and finds the new key.
    private func secret(of name: KernelKeyName) throws -> StoredSecret? {
      var gone: key_serial_t?
      while let key = try find(name), key != gone {
        if let secret = try KernelCall.withPayload(of: key, SecretEnvelope.secret) { return secret }
        gone = key
      }
      return nil
    }

    private func store(_ bytes: UnsafeRawBufferPointer, as name: KernelKeyName, seconds: Double?) throws {
      guard bytes.count <= KernelCall.largest else {
        throw StorageError.tooLarge.with(
          "the kernel stores at most \(KernelCall.largest) bytes, but the secret with its expiry has \(bytes.count); "
            + "keep it in a vault")
      }
      // The keyring of this thread is private.
      let desk = KEY_SPEC_THREAD_KEYRING
      let key = key_serial_t(
        try KernelCall.result("store") {
          Int(add_key(KernelCall.type, name.description, bytes.baseAddress, bytes.count, desk))
        })
      // After the link, the key stays in its keyring.
      defer { keyctl_unlink(key, desk) }
      if keyring == .user {
        // Permits access by processes whose session does not contain the user's keyring.
        _ = try KernelCall.result("store") { Int(keyctl_setperm(key, KernelCall.userPermissions)) }
      }
      if let seconds, seconds < Double(UInt32.max) {
        // Rounded up, so that the timeout is never early, and never 0, which would mean no timeout.
        let timeout = UInt32(max(seconds.rounded(.up), 1))
        _ = try KernelCall.result("store") { Int(keyctl_set_timeout(key, timeout)) }
      }
      _ = try KernelCall.result("store") { Int(keyctl_link(key, keyring.serial)) }
    }

    /// Removes exactly this key. Unlinking by name could remove a key that has replaced this one.
    private func remove(_ key: key_serial_t) throws {
      _ = try KernelCall.unlessAbsent("remove") { Int(keyctl_invalidate(key)) }
    }

    /// Calls `body` with each key of a service and its description. `body` returns `false` if the key no longer exists.
    ///
    /// Such a key may have been replaced since the keyring was listed. The keyring is therefore listed again, and new
    /// keys are visited.
    private func forEachKey(of service: String, _ body: (key_serial_t, String) throws -> Bool) throws {
      let prefix = KernelKeyName.prefix(keyring, service)
      var seen: Set<key_serial_t> = []
      var isAnyGone: Bool
      repeat {
        isAnyGone = false
        for key in try KernelCall.serials(in: keyring.serial) where seen.insert(key).inserted {
          switch try KernelCall.description(of: key) {
          case .gone: isAnyGone = true
          case .foreign: break
          case .ours(let description):
            guard description.hasPrefix(prefix) else { break }
            if try !body(key, description) { isAnyGone = true }
          }
        }
      } while isAnyGone
    }

    private func entries(of service: String) throws -> [(key: key_serial_t, account: String, date: Double?)] {
      var entries: [(key_serial_t, String, Double?)] = []
      try forEachKey(of: service) { key, description in
        guard let contents = try KernelCall.withPayload(of: key, SecretEnvelope.open) else { return false }
        if let account = contents.account ?? KernelKeyName.account(in: description) {
          entries.append((key, account, contents.date))
        }
        return true
      }
      return entries
    }
  }
#endif
