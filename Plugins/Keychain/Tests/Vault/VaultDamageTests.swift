import Foundation
import StrataKeychain
import TestSupport
import Testing

/// Vaults whose bytes were damaged or exchanged.
@Suite(.endsInTime) struct VaultDamageTests {
  let vault = TestVault()
  /// The only errors that reading a damaged vault may throw.
  private let refusals: [StorageError] = [.malformedFileAttributes, .wrongKey, .newerFormat]

  private func fill() throws -> Data {
    let accounts = vault.accounts()
    try accounts.setObject(text("a secret"), forKey: "Ada", expiry: nil)
    try accounts.setObject(text("another"), forKey: "Grace", expiry: .seconds(1000))
    try accounts.setObject(Data(), forKey: "empty", expiry: nil)
    return try vault.bytes
  }

  @Test("any flipped bit is detected, and the file is left unchanged")
  func flippedBits() throws {
    let good = try fill()
    let open = vault.accounts()
    #expect(try open.object(forKey: "Ada") == text("a secret"))
    for position in good.indices {
      var bad = good
      bad[position] ^= 1 << (position % 8)
      try vault.put(bad)
      let accounts = vault.accounts()
      let failures = [
        failure { try accounts.entryIfPresent(forKey: "Ada") }, failure { try accounts.keys() },
        failure { try accounts.setObject(text("new"), forKey: "Ada", expiry: nil) },
        failure { try accounts.removeObject(forKey: "Ada") },
        failure { try vault.open().changeKey(to: .test(2)) },
      ]
      for failure in failures {
        let failure = try #require(failure, "a flipped bit in byte \(position) was not found")
        #expect(refusals.contains(failure), "byte \(position): \(failure)")
      }
      #expect(try vault.bytes == bad)
    }
    try vault.put(good)
    #expect(try open.object(forKey: "Ada") == text("a secret"))
  }

  @Test("a truncated or extended file is refused")
  func lengths() throws {
    let good = try fill()
    for length in 0..<good.count {
      try vault.put(good.prefix(length))
      let failure = try #require(failure { try vault.accounts().entryIfPresent(forKey: "Ada") })
      #expect(refusals.contains(failure), "\(length) bytes: \(failure)")
    }
    for tail in [Data([0]), Data(count: 32), good] {
      try vault.put(good + tail)
      #expect(failure { try vault.accounts().keys() } == .malformedFileAttributes)
    }
  }

  @Test("a file of another vault, and a header with another body, are refused")
  func swaps() throws {
    let good = try fill()
    let other = TestVault()
    try other.accounts(.test(2)).setObject(text("theirs"), forKey: "Ada", expiry: nil)
    try vault.put(other.bytes)
    #expect(failure { try vault.accounts().object(forKey: "Ada") } == .wrongKey)
    // The same key, so that only the salts differ.
    let twin = TestVault()
    try twin.accounts().setObject(text("theirs"), forKey: "Ada", expiry: nil)
    try vault.put(twin.bytes.prefix(96) + good.dropFirst(96))
    #expect(failure { try vault.accounts().object(forKey: "Ada") } == .malformedFileAttributes)
    // An older body of the same vault.
    try vault.put(good)
    try vault.accounts().setObject(text("changed"), forKey: "Ada", expiry: nil)
    try vault.put(vault.bytes.prefix(96) + good.dropFirst(96))
    #expect(failure { try vault.accounts().object(forKey: "Ada") } == .malformedFileAttributes)
  }

  @Test("a wrong key and a wrong passphrase are reported as such, and change nothing")
  func wrongKeys() throws {
    let good = try fill()
    let password = try VaultKey.passphrase("a passphrase", cost: .least)
    for key in [.test(2), password] {
      let accounts = vault.accounts(key)
      for failure in [
        failure { try accounts.entryIfPresent(forKey: "Ada") },
        failure { try accounts.setObject(text("new"), forKey: "Ada", expiry: nil) },
        failure { try accounts.removeAll() }, failure { try vault.open(key).changeKey(to: .test(3)) },
      ] { #expect(failure == .wrongKey) }
    }
    #expect(try vault.bytes == good)
    let locked = TestVault()
    try locked.accounts(password).setObject(text("a secret"), forKey: "Ada", expiry: nil)
    for wrong in [try .passphrase("A passphrase"), try .passphrase("a passphrase "), VaultKey.test(1)] {
      #expect(failure { try locked.accounts(wrong).object(forKey: "Ada") } == .wrongKey)
    }
    // The vault opens with any Unicode form of the passphrase, and with any cost argument.
    #expect(try locked.accounts(.passphrase("a passphrase")).object(forKey: "Ada") == text("a secret"))
  }

  @Test("a header that demands an extreme hashing cost is refused at once")
  func endlessWork() throws {
    try vault.accounts(.passphrase("a passphrase", cost: .least)).setObject(
      text("1"), forKey: "a", expiry: nil)
    var bytes = try vault.bytes
    bytes.replaceSubrange(24..<32, with: [UInt8](littleEndian: UInt64(1 << 45)))
    try vault.put(bytes)
    let refused = failure { try vault.accounts(.passphrase("a passphrase")).object(forKey: "a") }
    #expect(refused == .malformedFileAttributes)
  }

  @Test("the error for a file of a newer format names the format")
  func newerFormat() throws {
    var bytes = try fill()
    bytes[12] = 2
    try vault.put(bytes)
    #expect(failure { try vault.accounts().object(forKey: "Ada") } == .newerFormat)
  }
}
