import BenchHarness
import Foundation
import StrataDisk

/// Large values that are written and read a part at a time, compared with `dd`, libsodium and bare HTTP clients.
enum StreamsSuite: Suite {
  static let name = "streams"
  static let summary =
    "a large value through DiskStorage against dd, encryption against libsodium, S3Storage against URLSession and curl"
  static let options = [
    Option("size", value: "MB", help: "the size of the value in MiB (default 1024)")
  ]

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    let size = try isQuick ? 8 : arguments.count("size") ?? 1024
    var report = Report("Streams")
    let rounds = isQuick ? 1 : 9
    let disk = try DiskStreams(size: size, rounds: rounds).run()
    report.add(
      "DiskStorage against dd",
      """
      MiB a second for one value of \(size) MiB, median of \(rounds) rounds in which both take turns: `dd bs=1M` and a store that \
      is durable as the first column says (`dd conv=fsync` for `power`). `write` takes its bytes from memory, `dd` from \
      `/dev/zero`. A cold read comes from the disk, all others from the page cache. The store also computes and checks a checksum \
      of each part. A ratio is the median of those within each round.
      """, table: disk.table)
    for aim in disk.aims { report.add(aim) }
    let cipher = try CipherStreams(size: isQuick ? 8 : 256, rounds: rounds).run()
    report.add(
      "Encryption against libsodium",
      """
      MiB a second through `store.encrypted(with:)` over a store that keeps nothing but the parts, against XChaCha20-Poly1305 by \
      libsodium's C API on a buffer of 1 MiB. Parts have 256 KiB.
      """, table: cipher.table)
    for aim in cipher.aims { report.add(aim) }
    let s3 = try S3Streams(size: isQuick ? 8 : min(size, 256), rounds: rounds).run()
    report.add(
      "S3Storage against bare clients",
      """
      MiB a second for one value of up to 256 MiB on a SeaweedFS server of this machine, over HTTP and without signatures of bodies. \
      `URLSession`: a plain session sends the store's requests by `data(for:)`, parts of 5 MiB, one upload or two downloads at a time. \
      `curl`: one request for the whole value. The store also computes and checks a checksum of each part. A ratio is the median of \
      those within each round.
      """, table: s3.table)
    for aim in s3.aims { report.add(aim) }
    return report
  }
}

/// The same part again and again.
struct RepeatedPart: AsyncSequence, AsyncIteratorProtocol, Sendable {
  static let part = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) })

  var rest: Int

  func makeAsyncIterator() -> RepeatedPart { self }

  mutating func next() async -> Data? {
    if rest == 0 { return nil }
    rest -= 1
    return Self.part
  }
}

/// The times of two contenders that took turns, in seconds.
struct PairedTimes {
  private(set) var ours: [Double] = []
  private(set) var theirs: [Double] = []

  /// Measures both, in an order that depends on the round.
  mutating func add(round: Int, ours mine: () throws -> Void, theirs other: () throws -> Void) rethrows {
    if round.isMultiple(of: 2) {
      theirs.append(try Self.seconds(other))
      ours.append(try Self.seconds(mine))
    } else {
      ours.append(try Self.seconds(mine))
      theirs.append(try Self.seconds(other))
    }
  }

  /// The median of the ratios of their speed: 1 if both are as fast.
  var ratio: Double { zip(ours, theirs).map { $1 / $0 }.median }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let watch = Stopwatch()
    try body()
    return Double(watch.nanoseconds) / 1e9
  }
}
