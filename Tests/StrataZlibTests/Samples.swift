import Foundation

struct User: Codable, Equatable, Sendable {
  var id = 7
  var name = "Ada"
  var tags = ["a", "b", "a", "b"]
}

/// Returns incompressible bytes, which depend only on the seed.
func noise(_ count: Int, seed: UInt64 = 1) -> Data {
  var state = seed
  var data = Data(capacity: count)
  for _ in 0..<count {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    data.append(UInt8(truncatingIfNeeded: state >> 56))
  }
  return data
}

/// Returns compressible bytes: a few words repeated.
func prose(_ count: Int) -> Data {
  let line = Data("the quick brown fox jumps over the lazy dog; ".utf8)
  var data = Data(capacity: count + line.count)
  while data.count < count { data.append(line) }
  return data.prefix(count)
}
