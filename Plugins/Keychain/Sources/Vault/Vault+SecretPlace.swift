import StrataDelegate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Vault: SecretPlace {
  var name: String { path }

  func read(_ accounts: [String], of service: String) throws -> [String: StoredSecret] {
    guard let contents = try contents() else { return [:] }
    var found: [String: StoredSecret] = [:]
    for account in accounts { found[account] = try contents.secret(of: account, service) }
    return found
  }

  func dates(of service: String) throws -> [String: Double?] {
    guard let contents = try contents() else { return [:] }
    var dates: [String: Double?] = [:]
    for (_, name) in try contents.names() where name.service == service {
      dates[name.account] = .some(name.date)
    }
    return dates
  }

  func save(_ secrets: [String: Data], until deadline: Deadline?, of service: String) throws {
    try change { contents in
      guard !secrets.isEmpty else { return nil }
      let contents = try contents ?? VaultContents(of: state.withLock(\.key))
      return try contents.replacing(
        secrets.map { (account: $0.key, value: $0.value) }, until: deadline?.date, of: service)
    }
  }

  func delete(_ accounts: [String], of service: String) throws {
    try remove { contents in
      accounts.lazy.map { contents.id(of: $0, service) }.filter { contents.entries[$0] != nil }
    }
  }

  func deleteAll(of service: String) throws {
    try remove { try $0.names().filter { $0.name.service == service }.map(\.id) }
  }

  func sweep(_ service: String, at now: Double) throws {
    try remove { contents in
      try contents.names().filter { $0.name.service == service && $0.name.date.map { $0 <= now } ?? false }
        .map(\.id)
    }
  }

  /// Removes entries. If none is found, nothing is written.
  private func remove(_ find: (VaultContents) throws -> some Sequence<VaultEntryID>) throws {
    // Removing absent entries must succeed even if the file cannot be written.
    guard let contents = try contents(), try find(contents).contains(where: { _ in true }) else { return }
    try change { contents in
      guard let contents else { return nil }
      let ids = Set(try find(contents))
      return ids.isEmpty ? nil : try contents.removing(ids)
    }
  }
}
