import BenchHarness
import Foundation
import Strata
import StrataLZ4
import StrataZstd

/// Many small records put on disk and read back, compressed in several ways.
struct SmallRecords {
  let count: Int
  private let rounds = 5
  private let batch = 1000
  private static let zlib = "zlib 6"
  private static let trained = "zstd 3, dictionary"

  func measure(_ report: inout Report) throws {
    Progress.say("codec: \(count) small records")
    let records = UserRecord.make(count)
    // The dictionary is trained on other records than the stored ones.
    let dictionary = try ZstdDictionary.trained(on: UserRecord.make(1000, seed: 2))
    let packed = try ByteTransformer.zstd(dictionary: dictionary).encode(records[0])
    let contenders: [(String, ByteTransformer)] = [
      (Self.zlib, .zlib()), ("LZ4", .lz4()), ("zstd 3", .zstd()),
      (Self.trained, .zstd(dictionary: dictionary)),
      ("\(Self.trained), no checksum", .zstd(dictionary: dictionary, checksum: false)),
      ("zstd 9, dictionary", .zstd(level: 9, dictionary: dictionary)),
      ("\(packed.count) bytes, no codec", ByteTransformer(encode: { _ in packed }, decode: { $0 })),
    ]
    let raw = records.reduce(0) { $0 + $1.count }
    var table = Table([
      "compressor", "bytes a value", "zlib, ratio", "on disk, bytes an entry", "compress, µs", "put, µs",
      "zlib's put, ratio", "put in batches, µs", "zlib's, ratio", "get, µs",
    ])
    try withTemporaryFolder { folder in
      let stores = try contenders.map { name, transformer in
        try DiskStorage<Int>(config: DiskConfig(name: name, directory: folder))
          .transform(to: Transformer.data.then(transformer))
      }
      let slice = count / rounds
      let comparison = Comparison(operations: slice, rounds: rounds, warmUps: 0, time: .processor)
      let compressing = try comparison.run(
        contenders.map { name, transformer in
          Contender(name) { _, run in
            try (run * slice..<(run + 1) * slice).reduce(0) { try $0 + transformer.encode(records[$1]).count }
          }
        })
      let putting = try comparison.run(
        zip(contenders, stores).map { contender, store in
          Contender(contender.0) { _, run in
            for number in run * slice..<(run + 1) * slice {
              try store.setObject(records[number], forKey: number)
            }
            return slice
          }
        })
      // Batches use other keys than single writes, so that both add entries.
      let batches = (0..<rounds).map { run in
        stride(from: run * slice, to: (run + 1) * slice, by: batch).map { first in
          let numbers = first..<min(first + batch, (run + 1) * slice)
          return Dictionary(uniqueKeysWithValues: numbers.map { (count + $0, records[$0]) })
        }
      }
      let batching = try comparison.run(
        zip(contenders, stores).map { contender, store in
          Contender(contender.0) { _, run in
            for entries in batches[run] { try store.setObjects(entries, expiry: nil) }
            return slice
          }
        })
      let getting = try comparison.run(
        zip(contenders, stores).map { contender, store in
          Contender(contender.0) { _, run in
            try (run * slice..<(run + 1) * slice).reduce(0) { try $0 + store.object(forKey: $1).count }
          }
        })
      let sizes = try contenders.map { _, transformer in
        try records.reduce(0) { try $0 + transformer.encode($1).count }
      }
      for (place, (name, _)) in contenders.enumerated() {
        table.add([
          .text(name), .measure(Double(sizes[place]) / Double(count)),
          .ratio(Double(sizes[0]) / Double(sizes[place])),
          .measure(Double(Amplification.bytesTaken(folder.appending(path: name))) / Double(2 * count)),
          .measure(compressing[place].median / 1000), .measure(putting[place].median / 1000),
          .ratio(putting[0].ratio(to: putting[place])), .measure(batching[place].median / 1000),
          .ratio(batching[0].ratio(to: batching[place])), .measure(getting[place].median / 1000),
        ])
      }
      let trained = contenders.firstIndex { $0.0 == Self.trained } ?? 0
      report.add(
        .atLeast(
          3, Double(sizes[0]) / Double(sizes[trained]), "small records, bytes of zlib 6 against a dictionary")
      )
      report.add(
        .atLeast(
          5, putting[0].ratio(to: putting[trained]), "small records, puts with zlib 6 against a dictionary"))
      report.add(
        .atLeast(
          5, batching[0].ratio(to: batching[trained]),
          "small records, puts in batches of \(batch) with zlib 6 against a dictionary"))
    }
    report.add(
      "\(Cell.count(count).shown) small records on disk",
      """
      Records of users, \(raw / count) bytes of JSON each, put into a DiskStorage one by one, as many again in batches of \
      \(batch), and read back one by one, in µs of the processor; the bytes of a value, and what the store's files take on the disk for each. The dictionary was trained on 1 000 others. The last row puts \
      the bytes of the first record again and again, without a codec: with any codec a put takes longer.
      """, table: table)
  }
}

/// Records of users, as a web service would store them.
enum UserRecord {
  private static let first = [
    "Ada", "Grace", "Linus", "Margaret", "Dennis", "Barbara", "Ken", "Frances", "Edsger", "Radia", "Hedy",
    "Tim",
  ]
  private static let last = [
    "Lovelace", "Hopper", "Hamilton", "Ritchie", "Liskov", "Thompson", "Allen", "Dijkstra", "Perlman",
    "Knuth", "Lee",
  ]
  private static let cities = [
    "Kharkiv", "Lviv", "Berlin", "Oslo", "Lisbon", "Nairobi", "Osaka", "Toronto", "Quito",
  ]

  static func make(_ count: Int, seed: UInt64 = 1) -> [Data] {
    var generator = SplitMix64(seed: seed)
    func pick(_ words: [String]) -> String { words[Int.random(in: 0..<words.count, using: &generator)] }
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    return (0..<count).map { _ in
      let (first, last) = (pick(first), pick(last))
      return Data(
        """
        {"id":\(number(10_000_000)),"name":"\(first) \(last)","email":"\(first.lowercased()).\(last.lowercased())\
        \(number(1000))@example.com","city":"\(pick(cities))","visits":\(number(5000)),"isActive":\(number(5) > 0),\
        "score":\(Double(number(10_000)) / 100),"createdAt":"2024-0\(number(9) + 1)-1\(number(10))T1\(number(10)):\
        \(number(50) + 10):\(number(50) + 10)Z","lastSeen":"2025-0\(number(9) + 1)-1\(number(10))T1\(number(10)):\
        \(number(50) + 10):\(number(50) + 10)Z","tags":["\(pick(["admin", "beta", "editor"]))",\
        "\(pick(["paid", "trial", "web"]))"],"settings":{"theme":"\(pick(["dark", "light"]))","locale":\
        "\(pick(["en_GB", "de_DE", "uk_UA"]))","mail":true,"push":false},"logins":\(number(900)),"referrer":null,"plan":"\(pick(["free", "team"]))"}
        """.utf8)
    }
  }
}
