import Foundation
import StrataKeychain
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file of a vault: its permissions, and other kinds of files in its place.
@Suite(.endsInTime) struct VaultFileTests {
  let vault = TestVault()

  private func filled() throws -> KeychainAccounts<String> {
    let accounts = vault.accounts()
    try accounts.setObject(text("a secret"), forKey: "Ada", expiry: nil)
    return accounts
  }

  @Test("only its owner can read the file, whatever the umask")
  func permissions() throws {
    let previous = umask(0)
    defer { umask(previous) }
    try filled().setObject(text("another"), forKey: "Grace", expiry: nil)
    for name in ["secrets.vault", "secrets.vault.lock"] {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: vault.folder.appending(path: name).path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: vault.folder.path).sorted() == [
        "secrets.vault", "secrets.vault.lock",
      ])
  }

  @Test(
    "a file that others may use is refused, also by a vault that had it open",
    arguments: [0o640, 0o604, 0o620, 0o602, 0o610])
  func openToOthers(mode: Int) throws {
    let accounts = try filled()
    let before = try vault.bytes
    try vault.setMode(mode)
    for accounts in [accounts, vault.accounts()] {
      let read = failure { try accounts.object(forKey: "Ada") }
      #expect(read == .denied)
      #expect(read?.message.contains("chmod 600") == true)
      #expect(read?.place == vault.path)
      #expect(failure { try accounts.setObject(text("new"), forKey: "Ada", expiry: nil) } == .denied)
      #expect(failure { try accounts.keys() } == .denied)
    }
    #expect(try vault.bytes == before)
    try vault.setMode(0o600)
    #expect(try accounts.object(forKey: "Ada") == text("a secret"))
  }

  @Test(
    "a folder, a FIFO or a symlink in its place is refused, and left there",
    arguments: ["folder", "FIFO", "symlink"])
  func otherThings(kind: String) throws {
    switch kind {
    case "folder":
      try FileManager.default.createDirectory(atPath: vault.path, withIntermediateDirectories: false)
    case "FIFO": #expect(mkfifo(vault.path, 0o600) == 0)
    default:
      try FileManager.default.createSymbolicLink(atPath: vault.path, withDestinationPath: "/etc/hostname")
    }
    let accounts = vault.accounts()
    for refused in [
      failure { try accounts.entryIfPresent(forKey: "Ada") }, failure { try accounts.keys() },
      failure { try accounts.setObject(text("new"), forKey: "Ada", expiry: nil) },
    ] {
      #expect(refused == .invalidConfiguration)
      #expect(refused?.place == vault.path)
    }
    var status = stat()
    #expect(lstat(vault.path, &status) == 0)
    let expected = ["folder": S_IFDIR, "FIFO": S_IFIFO, "symlink": S_IFLNK]
    #expect(status.st_mode & S_IFMT == expected[kind])
  }

  @Test(
    "a file of another user is refused", .enabled(if: geteuid() == 0, "only a superuser can give a file away")
  )
  func otherOwner() throws {
    let accounts = try filled()
    #expect(chown(vault.path, 65_534, 65_534) == 0)
    let refused = failure { try accounts.object(forKey: "Ada") }
    #expect(refused == .denied)
    #expect(refused?.message.contains("65534") == true)
  }

  @Test("a missing file is an empty vault, and reading creates no file")
  func absent() throws {
    let nowhere = vault.folder.appending(path: "deep/er/secrets.vault").path
    let accounts = KeychainAccounts<String>(service: "tests", in: .vault(nowhere, key: .test(1)))
    #expect(try accounts.entryIfPresent(forKey: "Ada") == nil)
    #expect(try accounts.keys() == [])
    try accounts.removeObject(forKey: "Ada")
    try accounts.removeAll()
    try accounts.removeExpiredObjects()
    #expect(!FileManager.default.fileExists(atPath: vault.folder.appending(path: "deep").path))
    try accounts.setObject(text("a secret"), forKey: "Ada", expiry: nil)
    #expect(try accounts.object(forKey: "Ada") == text("a secret"))
  }

  @Test("a temporary file of a dead process is not read as a secret, and is deleted")
  func leftover() throws {
    let accounts = try filled()
    try Data("half a file".utf8).write(to: URL(filePath: vault.path + ".new"))
    #expect(try accounts.object(forKey: "Ada") == text("a secret"))
    try accounts.setObject(text("another"), forKey: "Grace", expiry: nil)
    #expect(!FileManager.default.fileExists(atPath: vault.path + ".new"))
    #expect(try Set(vault.accounts().keys()) == ["Ada", "Grace"])
  }

  @Test("a vault reads what another process writes, also after the file was replaced")
  func otherWriters() throws {
    let (one, other) = (try filled(), vault.accounts())
    #expect(try other.object(forKey: "Ada") == text("a secret"))
    try one.setObject(text("changed"), forKey: "Ada", expiry: nil)
    #expect(try other.object(forKey: "Ada") == text("changed"))
    let old = try vault.bytes
    try other.removeAll()
    #expect(try one.entryIfPresent(forKey: "Ada") == nil)
    try vault.put(old)
    #expect(try one.object(forKey: "Ada") == text("changed"))
    try FileManager.default.removeItem(atPath: vault.path)
    #expect(try one.entryIfPresent(forKey: "Ada") == nil)
  }

  @Test("services are separate: names, secrets and removeAll")
  func services() throws {
    // Joined, both names are the same text.
    let (one, other) = (vault.accounts(service: "ab"), vault.accounts(service: "a"))
    try one.setObject(text("1"), forKey: "c", expiry: nil)
    try other.setObject(text("2"), forKey: "bc", expiry: nil)
    #expect(try one.keys() == ["c"])
    #expect(try other.keys() == ["bc"])
    try one.removeAll()
    #expect(try one.keys() == [])
    #expect(try other.object(forKey: "bc") == text("2"))
  }

  @Test("the file contains neither secrets nor names of accounts and services in plain text")
  func nothingReadable() throws {
    let accounts = vault.accounts(service: "the service of ours")
    try accounts.setObject(text("a very secret text"), forKey: "Ada Lovelace", expiry: nil)
    let bytes = try vault.bytes
    for words in ["very secret", "Lovelace", "service of ours"] {
      #expect(bytes.firstRange(of: Data(words.utf8)) == nil)
    }
  }
}
