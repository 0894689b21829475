import Foundation
import StrataSodium
import TestSupport
import Testing

@Suite(.endsInTime) struct PassphraseTests {
  private let salt: PassphraseSalt
  private let cheap = PassphraseCost(operations: 1, memory: 8192)

  init() throws { salt = try PassphraseSalt(0..<16) }

  @Test func equalPassphrasesGiveEqualKeys() throws {
    let first = try SecretKey(passphrase: "correct horse", salt: salt, cost: cheap)
    #expect(try SecretKey(passphrase: "correct horse", salt: salt, cost: cheap).id == first.id)
    #expect(
      try SecretKey(passphrase: "correct horse", salt: PassphraseSalt(salt.data), cost: cheap).id == first.id)
  }

  @Test func eachArgumentChangesTheKey() throws {
    let keys = try [
      SecretKey(passphrase: "correct horse", salt: salt, cost: cheap),
      SecretKey(passphrase: "correct horsf", salt: salt, cost: cheap),
      SecretKey(passphrase: "correct horse", salt: PassphraseSalt(1..<17), cost: cheap),
      SecretKey(passphrase: "correct horse", salt: salt, cost: PassphraseCost(operations: 2, memory: 8192)),
      SecretKey(passphrase: "correct horse", salt: salt, cost: PassphraseCost(operations: 1, memory: 16384)),
    ]
    #expect(Set(keys.map(\.id)).count == keys.count)
  }

  @Test func canonicallyEqualTextsGiveEqualKeys() throws {
    let composed = try SecretKey(passphrase: "caf\u{E9}", salt: salt, cost: cheap)
    #expect(try SecretKey(passphrase: "cafe\u{301}", salt: salt, cost: cheap).id == composed.id)
  }

  @Test func aPassphraseMayContainAnyBytes() throws {
    let bytes: [UInt8] = [0, 255, 0, 128]
    let key = try bytes.withUnsafeBytes { try SecretKey(passphrase: $0, salt: salt, cost: cheap) }
    let other = try bytes.dropLast().withUnsafeBytes {
      try SecretKey(passphrase: $0, salt: salt, cost: cheap)
    }
    #expect(key.id != other.id)
  }

  @Test(arguments: [(0, 8192), (-1, 8192), (1, 8191), (1, -1), (1, .max), (.max, 8192)])
  func costsThatCannotBeAreRefused(_ operations: Int, _ memory: Int) {
    #expect(throws: StorageError.invalidConfiguration) {
      try SecretKey(
        passphrase: "x", salt: salt, cost: PassphraseCost(operations: operations, memory: memory))
    }
  }

  @Test func anEmptyPassphraseIsRefused() {
    #expect(throws: StorageError.invalidConfiguration) {
      try SecretKey(passphrase: "", salt: salt, cost: cheap)
    }
  }

  @Test(arguments: [0, 15, 17]) func saltsOfOtherSizesAreRefused(_ count: Int) {
    #expect(throws: StorageError.invalidConfiguration) { try PassphraseSalt(noise(count)) }
  }

  @Test func newSaltsDiffer() throws {
    #expect(try Set((0..<20).map { _ in try PassphraseSalt() }).count == 20)
  }

  @Test func theNamedCostsHaveTheirDocumentedSizes() {
    let costs: [PassphraseCost] = [.interactive, .moderate, .sensitive]
    #expect(costs.map(\.memory) == [64 << 20, 256 << 20, 1 << 30])
    #expect(costs.map(\.operations) == [2, 3, 4])
  }
}
