import BenchHarness
import Foundation
import Strata
import StrataSodium

/// The cost of encryption, and the effect of a key rotation on concurrent readers.
enum SecretsSuite: Suite {
  static let name = "secrets"
  static let summary = "encryption against libsodium's own API, and rotation of keys beside readers"
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws -> Report {
    var report = Report("Secrets")
    let isQuick = arguments.has("quick")
    let ciphers = try CipherTimings(isQuick: isQuick).run()
    report.add(
      "Encryption",
      """
      µs to encrypt and to decrypt a value by `ByteTransformer.encrypted`, by a store's link that binds it to its key, and as a \
      sealed box, against XChaCha20-Poly1305 through libsodium's C API into memory that is there already. The ratio is to that.
      """, table: ciphers.table)
    for aim in ciphers.aims { report.add(aim) }
    let rotation = try RotationTimings(entries: isQuick ? 500 : 100_000).run()
    report.add(
      "Rotation",
      """
      \(Cell.count(rotation.entries).shown) values of 100 B in an encrypted store are encrypted again with a new key by `reencrypt()`, \
      while two threads read them, and as long before it without. Latencies in µs.
      """, table: rotation.table)
    for aim in rotation.aims { report.add(aim) }
    return report
  }
}
