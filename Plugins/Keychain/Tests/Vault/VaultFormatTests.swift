import Foundation
import StrataKeychain
import TestSupport
import Testing

/// A program without any code of Strata reads a vault by the README's description.
@Suite(.endsInTime) struct VaultFormatTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Vectors/read_vault.py").path
  private static let hasPyNaCl = Python.has("nacl")

  let vault = TestVault()

  private func readByPython(_ words: String...) throws -> Set<String> {
    let (end, printed) = try Program.run([Python.path, Self.script, vault.path] + words)
    let text = String(decoding: printed, as: UTF8.self)
    try #require(end == .exit(0), "\(text)")
    return Set(text.split(separator: "\n").map(String.init))
  }

  @Test(
    "another program reads all that is in it, with a key and with a passphrase",
    .enabled(if: hasPyNaCl, "python3-nacl is not installed"))
  func read() throws {
    let mail = vault.accounts(service: "mail")
    try mail.setObject(text("a secret"), forKey: "Ada", expiry: nil)
    try mail.setObject(Data(), forKey: "", expiry: .date(Date(timeIntervalSince1970: 4_000_000_000.5)))
    try vault.accounts(service: "caf\u{E9}").setObject(Data([0, 255]), forKey: "cafe\u{301}", expiry: nil)
    let expected: Set<String> = [
      "mail\tAda\tinf\t6120736563726574", "mail\t\t4000000000.5\t", "caf\u{E9}\tcaf\u{E9}\tinf\t00ff",
    ]
    #expect(try readByPython("key", String(repeating: "01", count: 32)) == expected)
    try vault.open().changeKey(to: .passphrase("a passphrase", cost: .least))
    #expect(try readByPython("passphrase", "a passphrase") == expected)
  }
}
