import Foundation
import StrataKeychain
import TestSupport
import Testing

/// The keys of a vault: passphrases, key files, credentials, and changes between them.
@Suite(.endsInTime) struct VaultKeyTests {
  let vault = TestVault()

  @Test("each kind of key opens the vault that it locked, and can be changed to any other kind")
  func changes() throws {
    let file = vault.folder.appending(path: "key").path
    try secretKey(5).write(toFile: file)
    let keys: [VaultKey] = [
      try .passphrase("first", cost: .least), .keyFile(file), .test(3),
      try .passphrase("caf\u{E9}", cost: .least),
    ]
    let open = vault.open(keys[0])
    let accounts = KeychainAccounts<String>(service: "tests", in: .vault(open))
    try accounts.setObjects(["Ada": text("1"), "Grace": Data()], expiry: .seconds(1000))
    let expiry = try accounts.expiryIfPresent(forKey: "Ada")
    for (old, new) in zip(keys, keys.dropFirst()) {
      let salt = try vault.bytes[32..<48]
      try open.changeKey(to: new)
      #expect(try vault.bytes[32..<48] != salt)
      // The same object continues; other objects need the new key.
      #expect(try accounts.object(forKey: "Ada") == text("1"))
      #expect(try Set(vault.accounts(new).keys()) == ["Ada", "Grace"])
      #expect(try vault.accounts(new).expiryIfPresent(forKey: "Ada") == expiry)
      #expect(failure { try vault.accounts(old).keys() } == .wrongKey)
      // Another object derives the keys again, from the same passphrase or key and another salt.
      try vault.open(new).changeKey(to: new)
      #expect(try accounts.object(forKey: "Ada") == text("1"))
    }
    // The same passphrase, in another Unicode form.
    #expect(try vault.accounts(.passphrase("cafe\u{301}")).object(forKey: "Ada") == text("1"))
  }

  @Test("changing the key of a missing vault creates an empty one")
  func changeOfNothing() throws {
    try vault.open(.test(1)).changeKey(to: .test(2))
    #expect(try vault.accounts(.test(2)).keys() == [])
    #expect(failure { try vault.accounts(.test(1)).keys() } == .wrongKey)
  }

  @Test("when a key file is changed with its vault, processes that had the vault open can use the new key")
  func changedFile() throws {
    let file = vault.folder.appending(path: "key").path
    try secretKey(5).write(toFile: file)
    let other = vault.accounts(.keyFile(file))
    try other.setObject(text("1"), forKey: "Ada", expiry: nil)
    try vault.open(.test(5)).changeKey(to: .test(6))
    #expect(failure { try other.object(forKey: "Ada") } == .wrongKey)
    try FileManager.default.removeItem(atPath: file)
    try secretKey(6).write(toFile: file)
    #expect(try other.object(forKey: "Ada") == text("1"))
  }

  @Test("a key file that others can read, or of another size, is refused")
  func keyFiles() throws {
    let file = vault.folder.appending(path: "key").path
    try secretKey(5).write(toFile: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    let open = failure { try vault.accounts(.keyFile(file)).setObject(text("1"), forKey: "Ada", expiry: nil) }
    #expect(open == .invalidConfiguration)
    #expect(open?.message.contains("chmod 600") == true)
    #expect(open?.place == file)
    try Data(count: 31).write(to: URL(filePath: file))
    #expect(failure { try vault.accounts(.keyFile(file)).keys() } == nil, "there is no vault to open yet")
    #expect(
      failure { try vault.accounts(.keyFile(file)).setObject(text("1"), forKey: "Ada", expiry: nil) } != nil)
    #expect(!FileManager.default.fileExists(atPath: vault.path))
  }

  @Test("an empty passphrase is refused")
  func emptyPassphrase() throws {
    let accounts = vault.accounts(try .passphrase("", cost: .least))
    #expect(
      failure { try accounts.setObject(text("1"), forKey: "Ada", expiry: nil) } == .invalidConfiguration)
  }

  @Test("a hashing cost above the limit, with which no vault could be opened again, is refused at once")
  func costs() throws {
    for cost in [
      PassphraseCost(operations: 65, memory: 8192), PassphraseCost(operations: 1, memory: 5 << 30),
    ] {
      let accounts = vault.accounts(try .passphrase("a passphrase", cost: cost))
      #expect(
        failure { try accounts.setObject(text("1"), forKey: "Ada", expiry: nil) } == .invalidConfiguration)
    }
    #expect(!FileManager.default.fileExists(atPath: vault.path))
  }

  @Test("the key is derived from the passphrase once, for any number of reads")
  func keyIsKept() throws {
    // 64 MB and some tenths of a second per operation would be noticed.
    let accounts = vault.accounts(try .passphrase("a passphrase"))
    try accounts.setObject(text("1"), forKey: "Ada", expiry: nil)
    let start = ContinuousClock.now
    _ = try vault.accounts(.passphrase("a passphrase")).object(forKey: "Ada")
    let once = ContinuousClock.now - start
    let again = ContinuousClock.now
    for _ in 0..<100 { _ = try accounts.object(forKey: "Ada") }
    #expect(ContinuousClock.now - again < once * 10)
  }
}
