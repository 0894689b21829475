import BenchHarness
import Foundation
import Strata
import StrataCBOR
import StrataLZ4
import StrataZstd

/// Measurements of all codecs on one value.
struct Codecs {
  let folder: URL
  let value: Log
  let operations: Int

  private static let data = "Data"
  private static let key = "log"

  private var transformers: [(String, Transformer<Log>)] {
    let json = Transformer.codable(Log.self)
    return [
      ("JSON", json), ("CBOR", .cbor(Log.self)), ("property list", .propertyList(Log.self)),
      ("JSON, zlib 1", json.zlib(level: 1)), ("JSON, zlib 6", json.zlib(level: 6)),
      ("JSON, zlib 9", json.zlib(level: 9)), ("JSON, zstd 1", json.zstd(level: 1)),
      ("JSON, zstd 3", json.zstd()), ("JSON, LZ4", json.lz4()),
      ("CBOR, zstd 3", Transformer.cbor(Log.self).zstd()), ("CBOR, LZ4", Transformer.cbor(Log.self).lz4()),
    ]
  }

  func table() throws -> Table {
    let bytes = try JSONEncoder().encode(value)
    let plain = try disk(Self.data)
    try plain.setObject(bytes, forKey: Self.key)
    var sizes = [Self.data: bytes.count]
    var encoders: [Contender] = []
    var decoders: [Contender] = []
    var readers = [
      Contender(Self.data) { [operations] _, _ in
        try repeated(operations) { try plain.object(forKey: Self.key).count }
      }
    ]
    for (name, transformer) in transformers {
      let encoded = try transformer.toData(value)
      sizes[name] = encoded.count
      encoders.append(
        Contender(name) { [operations, value] _, _ in
          try repeated(operations) { try transformer.toData(value).count }
        })
      decoders.append(
        Contender(name) { [operations] _, _ in
          try repeated(operations) { try transformer.fromData(encoded).weight }
        })
      let store = try disk(name).transform(to: transformer)
      try store.setObject(value, forKey: Self.key)
      readers.append(
        Contender(name) { [operations] _, _ in
          try repeated(operations) { try store.object(forKey: Self.key).weight }
        })
    }
    let comparison = Comparison(operations: operations, rounds: 7)
    let encoding = try comparison.run(encoders)
    let decoding = try comparison.run(decoders)
    let reading = try comparison.run(readers)

    var table = Table(["codec", "encode", "decode", "bytes", "hit on disk", "share of the codec, %"])
    let raw = reading.of(Self.data)
    for one in reading {
      let isCoded = one.name != Self.data
      table.add([
        .text(one.name), isCoded ? .measure(encoding.of(one.name).median / 1000) : .none,
        isCoded ? .measure(decoding.of(one.name).median / 1000) : .none,
        .count(sizes[one.name] ?? 0), .measure(one.median / 1000),
        isCoded ? .number((1 - raw.ratio(to: one)) * 100, decimals: 0, unit: "") : .none,
      ])
    }
    return table
  }

  private func disk(_ name: String) throws -> DiskStorage<String> {
    try DiskStorage(config: DiskConfig(name: name, directory: folder))
  }
}

/// Calls `body` repeatedly. Returns the sum of its results.
private func repeated(_ times: Int, _ body: () throws -> Int) rethrows -> Int {
  var sum = 0
  for _ in 0..<times { sum &+= try body() }
  return sum
}
