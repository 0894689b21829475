import BenchHarness
import Foundation
import Strata

/// The cost of encoding and decoding values, and its share of a hit on disk.
enum CodecSuite: Suite {
  static let name = "codec"
  static let summary =
    "JSON, CBOR, property lists, zlib, zstd and LZ4: time, size, and their share of a hit on disk"
  static let options = [
    Option("records", value: "COUNT", help: "the number of small records to put on disk; 100 000 by default")
  ]

  static func run(_ arguments: Arguments) throws -> Report {
    var report = Report("Codec")
    let isQuick = arguments.has("quick")
    for (label, readings) in [("one struct of three fields", 1), ("200 structs, some 10 kB of JSON", 200)] {
      Progress.say("codec: \(label)")
      let operations = isQuick ? 5 : 20_000 / (readings + 20)
      let table = try withTemporaryFolder { folder in
        try Codecs(folder: folder, value: Log(count: readings), operations: operations).table()
      }
      report.add(
        label.prefix(1).uppercased() + label.dropFirst(),
        """
        µs to encode and to decode, the bytes that come of it, and µs to read and decode them from a DiskStorage whose files \
        the system has in its memory; beside it, which share of that the codec has. Data is what is stored without one.
        """, table: table)
    }
    try ValueShapes(isQuick: isQuick).measure(&report)
    try StorageHits(operations: isQuick ? 5 : 500).measure(&report)
    try SmallRecords(count: arguments.count("records") ?? (isQuick ? 1000 : 100_000)).measure(&report)
    return report
  }
}

/// A value of any size: a list of readings.
struct Log: Codable, Sendable, Weighable {
  let readings: [Reading]

  init(count: Int) { readings = (0..<count).map(Reading.init) }

  var weight: Int { readings.count }
}
