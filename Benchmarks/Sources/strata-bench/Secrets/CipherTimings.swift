import BenchHarness
import Foundation
import Strata
import StrataSodium

/// Encryption and decryption of values of three sizes.
struct CipherTimings {
  let isQuick: Bool

  private static let raw = "libsodium, C API"
  private static let transformer = "ByteTransformer.encrypted"
  private static let link = "store.encrypted(with:)"
  private static let sealed = "sealed box"

  func run() throws -> (table: Table, aims: [Aim]) {
    var table = Table(["value", "by", "encrypt", "ratio", "decrypt", "ratio of decrypt"])
    var aims: [Aim] = []
    for (label, size) in [("100 B", 100), ("10 kB", 10_000), ("1 MB", 1_000_000)] {
      Progress.say("secrets: \(label)")
      let (encrypting, decrypting) = try timings(size: size)
      let (rawEncrypting, rawDecrypting) = (encrypting.of(Self.raw), decrypting.of(Self.raw))
      for name in [Self.raw, Self.transformer, Self.link, Self.sealed] {
        let (encrypt, decrypt) = (encrypting.of(name), decrypting.of(name))
        let isRaw = name == Self.raw
        table.add([
          .text(label), .text(name), .measure(encrypt.median / 1000),
          isRaw ? .none : .ratio(encrypt.ratio(to: rawEncrypting)), .measure(decrypt.median / 1000),
          isRaw ? .none : .ratio(decrypt.ratio(to: rawDecrypting)),
        ])
        guard name == Self.transformer || name == Self.link, size >= 10_000 else { continue }
        for (verb, ratio) in [
          ("Encrypting", encrypt.ratio(to: rawEncrypting)), ("Decrypting", decrypt.ratio(to: rawDecrypting)),
        ] {
          aims.append(.atMost(1.2, ratio, "\(verb) \(label) by `\(name)`, to libsodium's C API"))
        }
      }
    }
    return (table, aims)
  }

  private func timings(size: Int) throws -> (encrypting: [Timing], decrypting: [Timing]) {
    let operations = isQuick ? 3 : max(30, 20_000_000 / (size + 1000))
    let raw = RawSodium(size: size)
    let value = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let ring = KeyRing(try SecretKey())
    let owner = try KeyPair()
    let transformer = ByteTransformer.encrypted(with: ring, for: "strata-bench")
    let box = ByteTransformer.encrypted(with: owner, for: "strata-bench")
    // The base is a single variable, so that the combinator's cost is measured.
    let store = OneValue().encrypted(with: ring, domain: "strata-bench")
    try store.setObject(value, forKey: "key")
    let (sealed, boxed) = (try transformer.encode(value), try box.encode(value))

    let comparison = Comparison(operations: operations, rounds: isQuick ? 1 : 15)
    let encrypting = try comparison.run([
      Contender(Self.raw) { _, _ in repeated(operations) { raw.encrypt() } },
      Contender(Self.transformer) { _, _ in try repeated(operations) { try transformer.encode(value).count }
      },
      Contender(Self.link) { _, _ in
        try repeated(operations) {
          try store.setObject(value, forKey: "key")
          return 1
        }
      },
      Contender(Self.sealed) { _, _ in try repeated(operations) { try box.encode(value).count } },
    ])
    let decrypting = try comparison.run([
      Contender(Self.raw) { _, _ in repeated(operations) { raw.decrypt() } },
      Contender(Self.transformer) { _, _ in try repeated(operations) { try transformer.decode(sealed).count }
      },
      Contender(Self.link) { _, _ in try repeated(operations) { try store.object(forKey: "key").count } },
      Contender(Self.sealed) { _, _ in try repeated(operations) { try box.decode(boxed).count } },
    ])
    return (encrypting, decrypting)
  }
}

/// Runs a body repeatedly; returns the sum of its results.
private func repeated(_ times: Int, _ body: () throws -> Int) rethrows -> Int {
  var sum = 0
  for _ in 0..<times { sum &+= try body() }
  return sum
}
