import Foundation
import Strata
import StrataKeychain
import TestSupport
import Testing

/// No error of a keychain quotes a secret.
@Suite(.endsInTime) struct KeychainCanaryTests {
  private static let canary = "S3CR3T"
  private struct Token: Codable, Sendable { var name = canary, uses = [canary: [canary]] }
  private struct Other: Codable, Sendable { let name: Int }
  private struct Color: Codable, Sendable {
    enum Name: String, Codable, Sendable { case red }
    let name: Name
  }
  private struct Endless: Codable, Sendable { var values = [canary: Double.infinity] }
  private struct Refused: Error { let value: String }
  private struct Talkative: Codable, Sendable {
    init() {}
    init(from decoder: any Decoder) throws { throw Refused(value: canary) }
    func encode(to encoder: any Encoder) throws { throw Refused(value: canary) }
  }

  private func shown(_ error: any Error) -> String {
    var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription) \(error as NSError)"
    dump(error, to: &text)
    return text
  }

  @Test func itemsAreNotQuoted() async throws {
    let place = KeychainPlace.vault(TestVault().open())
    try await Keychain<Token>(account: "a", in: place).save(item: Token())
    let uses: [() async throws -> Void] = [
      { _ = try await Keychain<Other>(account: "a", in: place).get() },
      { _ = try await Keychain<Color>(account: "a", in: place).get() },
      { _ = try await Keychain<Talkative>(account: "a", in: place).get() },
      { _ = try await KeychainStorage<[Int]>(account: "a", in: place).get() },
      { try await Keychain<Talkative>(account: "a", in: place).save(item: Talkative()) },
      { try await Keychain<Endless>(account: "a", in: place).save(item: Endless()) },
    ]
    for use in uses {
      let error = try #require(await #expect(throws: KeychainError.self) { try await use() })
      #expect(!shown(error).contains("S3C"), "\(shown(error))")
      #expect(error.cause != nil)
    }
  }

  @Test func accountsAreNotQuoted() throws {
    let accounts = TestVault().accounts()
    try accounts.transform(to: Token.self).setObject(Token(), forKey: "a")
    let reads = [
      { _ = try accounts.transform(to: Color.self).object(forKey: "a") },
      { _ = try accounts.mapJSONObject(Talkative.self).object(forKey: "a") },
      {
        _ = try Storage(
          front: MemoryStorage(), back: accounts, transformer: .propertyList(Token.self)
        ).object(forKey: "a")
      },
    ]
    for read in reads {
      let error = try #require(throws: StorageError.self) { try read() }
      #expect(error == .typeNotMatch)
      #expect(!shown(error).contains("S3C"), "\(shown(error))")
    }
  }
}
