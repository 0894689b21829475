import FoundationEssentials

/// A value in the model. Values with different keys, sizes or seeds have different bytes.
struct Value: Equatable {
  let size: Int
  let seed: Int

  func bytes(of key: String) -> Data {
    var state = UInt64(bitPattern: Int64(size * 31 + seed * 1_000_003))
    for byte in key.utf8 { state = state &* 1_099_511_628_211 ^ UInt64(byte) }
    var words: [UInt64] = []
    words.reserveCapacity(size / 8 + 1)
    for _ in 0...size / 8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      words.append(state)
    }
    return words.withUnsafeBytes { Data($0.prefix(size)) }
  }
}
