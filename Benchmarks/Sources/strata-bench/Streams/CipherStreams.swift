import BenchHarness
import Foundation
import StrataCore
import StrataSodium
import Synchronization

/// One value, encrypted and decrypted a part at a time, and as many bytes by libsodium alone.
struct CipherStreams {
  /// The size of the value in MiB.
  let size: Int
  let rounds: Int

  func run() throws -> (table: Table, aims: [Aim]) {
    let raw = RawSodium(size: 1 << 20)
    let key = try SecretKey()
    let (forgetful, full) = (
      PartShelf(keeps: false).encrypted(with: key), PartShelf(keeps: true).encrypted(with: key)
    )
    try waiting { [size] in try await full.write(forKey: "value", from: RepeatedPart(rest: size)) }
    var (encrypting, decrypting) = (PairedTimes(), PairedTimes())
    for round in 0..<rounds {
      Progress.say("streams: encryption, round \(round + 1) of \(rounds)")
      try encrypting.add(round: round) {
        try waiting { [size] in try await forgetful.write(forKey: "value", from: RepeatedPart(rest: size)) }
      } theirs: {
        for _ in 0..<size { _ = raw.encrypt() }
      }
      try decrypting.add(round: round) {
        try waiting { for try await _ in try await full.read(forKey: "value") {} }
      } theirs: {
        for _ in 0..<size { _ = raw.decrypt() }
      }
    }
    var table = Table(["operation", "Strata", "libsodium", "ratio"])
    var aims: [Aim] = []
    for (name, pair) in [("encrypt", encrypting), ("decrypt", decrypting)] {
      table.add([
        .text(name), .measure(Double(size) / pair.ours.median), .measure(Double(size) / pair.theirs.median),
        .ratio(pair.ratio),
      ])
      aims.append(.atLeast(0.85, pair.ratio, "Streams, \(name), against libsodium"))
    }
    return (table, aims)
  }
}

/// A store of the parts of one value, or of none, at almost no cost.
private final class PartShelf: SimpleStorage {
  private let parts = Mutex<[Data]>([])
  private let keeps: Bool

  init(keeps: Bool) { self.keeps = keeps }

  func stage(_ key: String, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    parts.withLock { $0 = [] }
    return Staged(shelf: self)
  }

  func stream(_ key: String, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    let parts = parts.withLock { $0 }
    return StoredBytes(length: parts.reduce(0) { $0 + $1.count }, range: range) { range in
      AsyncStream<Data> { continuation in
        var offset = 0
        for part in parts {
          let wanted = range.clamped(to: offset..<offset + part.count)
          if !wanted.isEmpty {
            continuation.yield(part.dropFirst(wanted.lowerBound - offset).prefix(wanted.count))
          }
          offset += part.count
        }
        continuation.finish()
      }
    }
  }

  private struct Staged: StagedBytes {
    let shelf: PartShelf

    func append(_ bytes: Data) async throws {
      if shelf.keeps { shelf.parts.withLock { $0.append(bytes) } }
    }
    func bytes(at offset: Int, count: Int) async throws -> Data? { nil }
    func commit(ifAbsent: Bool) async throws -> Bool { true }
    func discard() async {}
  }

  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? { nil }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {}
  func removeObject(forKey key: String) async throws {}
  func removeAll() async throws {}
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { [] }
}
