import Foundation
import StrataSodium
import TestSupport
import Testing

@Suite(.endsInTime) struct SecretKeyTests {
  private let folder = TemporaryFolder().url

  private func path(_ name: String = "key") -> String { folder.appending(path: name).path }

  @Test func newKeysAndTheirIDsDiffer() throws {
    let keys = try (0..<20).map { _ in try SecretKey() }
    #expect(Set(keys.map(\.shown)).count == 20)
    #expect(Set(keys.map(\.id)).count == 20)
  }

  /// The id is computed in Python by
  /// `hashlib.blake2b(b"strata key id", key=b"\x01" * 32, digest_size=16).hexdigest()[:16]`.
  @Test func theIDDependsOnTheKeyOnly() throws {
    #expect(try key(1).id == key(1).id)
    #expect(try key(1).id.description == "28a5b330b917c2ae")
  }

  @Test(arguments: [0, 1, 31, 33, 64])
  func otherSizesAreRefused(_ count: Int) throws {
    #expect(throws: StorageError.invalidConfiguration) {
      try [UInt8](repeating: 1, count: count).withUnsafeBytes { try SecretKey(bytes: $0) }
    }
  }

  @Test func noOutputShowsTheKey() throws {
    let key = try key(0xAB)
    var dumped = ""
    dump(key, to: &dumped)
    dump(KeyRing(key), to: &dumped)
    let texts = [
      "\(key)", String(reflecting: key), dumped, "\(KeyRing(key))", String(reflecting: KeyRing(key)),
      "\(Optional(key) as Any)", "\([key])",
    ]
    for text in texts {
      #expect(text.contains(key.id.description))
      #expect(!text.lowercased().contains("abab"))
      #expect(!text.contains("171"))
      #expect(!text.contains("0x"))
    }
  }

  @Test func aKeyFileIsAccessibleToItsOwnerOnly() throws {
    let key = try SecretKey()
    try key.write(toFile: path())
    let attributes = try FileManager.default.attributesOfItem(atPath: path())
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path())) == key.shown)
    #expect(try SecretKey(file: path()).id == key.id)
  }

  @Test func anExistingFileIsNotReplaced() throws {
    let first = try SecretKey()
    try first.write(toFile: path())
    #expect(throws: StorageError.invalidConfiguration) { try SecretKey().write(toFile: path()) }
    #expect(try SecretKey(file: path()).id == first.id)
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o777])
  func aFileThatOthersCanUseIsRefused(_ mode: Int) throws {
    try SecretKey().write(toFile: path())
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path())
    let error = try #require(throws: StorageError.self) { try SecretKey(file: path()) }
    #expect(error == .invalidConfiguration)
    #expect(error.message.contains("chmod 600"))
    #expect(error.place == path())
  }

  /// Docker mounts secrets read-only for all users, Kubernetes as configured; such a mode is never accidental.
  @Test(arguments: [0o400, 0o440, 0o444]) func aFileThatNoUserCanWriteIsAccepted(_ mode: Int) throws {
    let key = try SecretKey()
    try key.write(toFile: path())
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path())
    #expect(try SecretKey(file: path()).id == key.id)
  }

  /// Kubernetes mounts secrets behind symlinks, readable for all users, unless configured otherwise.
  @Test func aFileThatOthersCanReadIsAcceptedIfAllowed() throws {
    let key = try SecretKey()
    try key.write(toFile: path("..data"))
    try FileManager.default.createSymbolicLink(atPath: path(), withDestinationPath: path("..data"))
    for mode in [0o644, 0o640] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path("..data"))
      #expect(throws: StorageError.invalidConfiguration) { try SecretKey(file: path()) }
      #expect(try SecretKey(file: path(), readers: .anyone).id == key.id)
    }
    for mode in [0o664, 0o646, 0o666, 0o777] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path("..data"))
      #expect(throws: StorageError.invalidConfiguration) { try SecretKey(file: path(), readers: .anyone) }
    }
  }

  /// The FIFO has no writer: opening it without O_NONBLOCK would block forever.
  @Test func aPipeIsRefusedAtOnce() throws {
    #expect(mkfifo(path(), 0o600) == 0)
    for readers in [KeyFileReaders.owner, .anyone] {
      let error = try #require(throws: StorageError.self) { try SecretKey(file: path(), readers: readers) }
      #expect(error == .invalidConfiguration)
      #expect(error.place == path())
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func aFileOfAnotherUserIsRefused() throws {
    try SecretKey().write(toFile: path())
    try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: path())
    let error = try #require(throws: StorageError.self) { try SecretKey(file: path()) }
    #expect(error == .invalidConfiguration)
    #expect(error.message.contains("chown"))
  }

  @Test(arguments: [0, 31, 33, 1000])
  func aFileOfAnotherSizeIsRefused(_ count: Int) throws {
    try noise(count).write(to: URL(fileURLWithPath: path()))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path())
    #expect(throws: StorageError.invalidConfiguration) { try SecretKey(file: path()) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path())) == noise(count))
  }

  @Test func theErrorForAMissingFileNamesIt() throws {
    let missing = try #require(throws: StorageError.self) { try SecretKey(file: path("none")) }
    #expect(missing == .backendFailed)
    #expect(missing.place == path("none"))
    #expect((missing.cause as? POSIXError)?.code == .ENOENT)
    #expect(throws: StorageError.invalidConfiguration) { try SecretKey(file: folder.path) }
  }
}
