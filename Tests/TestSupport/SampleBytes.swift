package import Foundation

/// Returns bytes that no compressor can shrink, always the same for a seed.
package func noise(_ count: Int, seed: UInt64 = 1) -> Data {
  var state = seed
  var data = Data(count: count)
  data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
    // A loop without an iterator, which tests, built without optimization, run many times as fast.
    var index = 0
    while index < count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[index] = UInt8(truncatingIfNeeded: state >> 56)
      index += 1
    }
  }
  return data
}

/// Returns bytes that compress like text: a few words in varying order.
package func prose(_ count: Int) -> Data {
  let line = Data("the quick brown fox jumps over the lazy dog; ".utf8)
  var data = Data(capacity: count + line.count)
  while data.count < count { data.append(line) }
  return data.prefix(count)
}

#if os(Linux)
  /// The maximum memory that this process has used so far, in bytes.
  package func peakMemory() throws -> Int { try processStatus("VmHWM") * 1024 }

  /// Returns a figure of `/proc/self/status`: a number, or the memory in kB.
  package func processStatus(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
      let number = Int(line.filter(\.isNumber))
    else { throw CocoaError(.fileReadCorruptFile) }
    return number
  }
#endif
