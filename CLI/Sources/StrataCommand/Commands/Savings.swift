import StrataCore
import StrataLZ4
import StrataZlib
import StrataZstd

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The sizes of a sample of values, compressed by each codec.
struct Savings {
  private var results: [(name: String, plain: Int, compressed: Int)] = []
  private let count: Int

  init(of sample: [Data]) {
    count = sample.count
    measure("zlib", sample, .zlib())
    measure("lz4", sample, .lz4())
    measure("zstd", sample, .zstd())
    let half = sample.count / 2
    // If zstd cannot train a dictionary on the sample, the report has no line for it.
    guard half >= 10, let dictionary = try? ZstdDictionary.trained(on: Array(sample[..<half])) else { return }
    measure("zstd, dictionary", Array(sample[half...]), .zstd(dictionary: dictionary))
  }

  private mutating func measure(_ name: String, _ sample: [Data], _ compression: Compression) {
    let encode = ByteTransformer.compressed(by: compression).encode
    var sum = 0
    for value in sample {
      // A value that cannot be compressed counts with its own size.
      sum += (try? encode(value).count) ?? value.count
    }
    results.append((name, sample.reduce(0) { $0 + $1.count }, sum))
  }

  var json: JSON {
    .array(
      results.map {
        .object([
          "method": .text($0.name), "bytes": .integer($0.plain), "compressed": .integer($0.compressed),
        ])
      })
  }

  func text(_ terminal: Terminal) -> String {
    if count == 0 { return "" }
    var text =
      "\n" + terminal.styled("compression, of \(count == 1 ? "a value" : "\(count) values")", .bold) + "\n"
    for (name, plain, compressed) in results {
      text += "\(Units.right(name, 18))  \(Units.right(Units.bytes(compressed), 10)) of \(Units.bytes(plain))"
      text += plain == 0 ? "\n" : ", saves \(Units.percent(plain - compressed, of: plain))\n"
    }
    return text
  }
}
