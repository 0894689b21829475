#if canImport(Security)
  import Foundation
  internal import Security
  import StrataDelegate

  /// Stores secrets as generic passwords of Apple's keychain.
  ///
  /// An attribute marks items of Strata. An item without the mark is a secret of another program, which never expires.
  struct AppleKeychain: SecretPlace {
    private static let mark = Data("strata.Secret".utf8)

    let accessGroup: String?
    let accessibility: AppleAccessibility

    var name: String { "the keychain" }

    func read(_ accounts: [String], of service: String) throws -> [String: StoredSecret] {
      var found: [String: StoredSecret] = [:]
      for account in accounts {
        var result: CFTypeRef?
        let query = query(service, account)
          .merging([kSecReturnData: true, kSecReturnAttributes: true]) { $1 }
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { continue }
        try check(status)
        guard let item = result as? [CFString: Any], let data = item[kSecValueData] as? Data else { continue }
        found[account] =
          item[kSecAttrGeneric] as? Data == Self.mark
          ? try data.withUnsafeBytes { try SecretEnvelope.secret(in: $0) }
          : StoredSecret(value: data, date: nil)
      }
      return found
    }

    func dates(of service: String) throws -> [String: Double?] {
      var result: CFTypeRef?
      let query = query(service).merging([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]) {
        $1
      }
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return [:] }
      try check(status)
      let items = result as? [[CFString: Any]] ?? []
      let accounts = items.compactMap { $0[kSecAttrAccount] as? String }.compactMap(SecretName.plain)
      // Items deleted since they were listed are omitted.
      return try read(accounts, of: service).mapValues { $0.date }
    }

    func save(_ secrets: [String: Data], until deadline: Deadline?, of service: String) throws {
      for (account, secret) in secrets {
        let envelope = SecretEnvelope.make(secret, date: deadline?.date)
        let content: [CFString: Any] = [
          kSecValueData: Data(envelope.buffer), kSecAttrAccessible: accessibility.attribute,
          kSecAttrGeneric: Self.mark,
        ]
        let query = query(service, account)
        var status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
        if status == errSecItemNotFound {
          status = SecItemAdd(query.merging(content) { $1 } as CFDictionary, nil)
          // Another process added the item first.
          if status == errSecDuplicateItem {
            status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
          }
        }
        try check(status)
      }
    }

    func delete(_ accounts: [String], of service: String) throws {
      for account in accounts { try delete(query(service, account)) }
    }

    func deleteAll(of service: String) throws { try delete(query(service)) }

    func sweep(_ service: String, at now: Double) throws {
      let expired = try dates(of: service).filter { $0.value.map { $0 <= now } ?? false }
      try delete(Array(expired.keys), of: service)
    }
  }

  extension AppleKeychain {
    private func query(_ service: String, _ account: String? = nil) -> [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: SecretName.escaped(service),
        kSecUseDataProtectionKeychain: true,
      ]
      if let account { query[kSecAttrAccount] = SecretName.escaped(account) }
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      return query
    }

    private func delete(_ query: [CFString: Any]) throws {
      let status = SecItemDelete(query as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
    }

    private func check(_ status: OSStatus) throws {
      if status == errSecSuccess { return }
      let message = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "unknown error"
      let cause = KeychainFailure(domain: "OSStatus", code: Int(status), message: message)
      let (error, advice): (StorageError, String) =
        switch status {
        case errSecInteractionNotAllowed: (.locked, "the device is locked; try again when it is unlocked")
        case errSecAuthFailed, errSecUserCanceled: (.denied, "the user or the system refused the access")
        case errSecMissingEntitlement:
          (.denied, "the program lacks the entitlement for the keychain, or for its access group: add it")
        case errSecNotAvailable: (.unreachable, "the system has no keychain; choose another place")
        case errSecDecode: (.malformedFileAttributes, "the item is damaged; save it again, or delete it")
        default: (.backendFailed, "the keychain refuses")
        }
      throw error.with("\(advice) (\(cause))", cause: cause)
    }
  }
#endif
