#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension ChainTrial {
  /// The sizes of values in parts: one part, and several.
  private static let sizes = [0, 1, 200_000, 700_001]

  /// Returns the view of bytes. Throws `NotInChain` if the chain has none.
  func bytes(_ chain: TestedChain) throws -> any StorageAware<String, Data> {
    guard let bytes = chain.bytes else { throw NotInChain(reason: "it has no view of bytes") }
    return bytes
  }

  func streams() async throws {
    let chain = try await open()
    _ = try bytes(chain)
    switch check.circumstance {
    case .oneProcess:
      try await write(in: chain)
      try await read(in: chain, "after the writes")
      try await forget(Self.sizes.flatMap { ["parts \($0)", "whole \($0)"] }, in: chain)
      for _ in 0..<2 { try await read(in: chain, "without the copies in the front") }
      try await abandon(in: chain)
    case .restart:
      try await write(in: chain)
      try await read(in: open(), "after a restart")
    case .twoProcesses:
      try await write(in: chain)
      try await withChild { child in
        for size in Self.sizes {
          for (key, seed) in [("parts \(size)", size), ("whole \(size)", -size)] {
            let found = try await child.readParts(key)
            try expect(
              found == StrataTestKit.bytes(size, seed: seed),
              "another process reads \(shown(found)) for \(shown(key))")
          }
          try await child.perform(.writeParts("theirs \(size)", size: size, seed: size + 1))
          try await expect(
            StrataTestKit.bytes(size, seed: size + 1), at: "theirs \(size)", in: bytes(chain),
            "after a write in another process")
        }
      }
    case .failingTier: try await failInTheMiddle()
    }
  }

  private func write(in chain: TestedChain) async throws {
    let store = try bytes(chain)
    for size in Self.sizes {
      try await store.write(forKey: "parts \(size)", from: PartSource(StrataTestKit.bytes(size, seed: size)))
      try await store.setObject(StrataTestKit.bytes(size, seed: -size), forKey: "whole \(size)", expiry: nil)
    }
  }

  private func read(in chain: TestedChain, _ circumstances: String) async throws {
    let store = try bytes(chain)
    for size in Self.sizes {
      try await expect(StrataTestKit.bytes(size, seed: size), at: "parts \(size)", in: store, circumstances)
      try await expect(StrataTestKit.bytes(size, seed: -size), at: "whole \(size)", in: store, circumstances)
    }
  }

  /// Reads a value in parts, whole, and in parts once more. Throws `BrokenChain` unless it has these bytes.
  private func expect(
    _ value: Data?, at key: String, in store: any StorageAware<String, Data>, _ circumstances: String
  ) async throws {
    for way in ["in parts", "whole", "in parts"] {
      let found =
        way == "whole"
        ? try await store.objectIfPresent(forKey: key) : try await store.objectInParts(forKey: key)
      try expect(
        found == value,
        "\(circumstances), \(shown(key)) read \(way) has \(shown(found)), and not \(shown(value))")
    }
  }

  /// A writer whose source fails leaves the old value.
  private func abandon(in chain: TestedChain) async throws {
    let (store, old) = (try bytes(chain), StrataTestKit.bytes(1000, seed: 5))
    try await store.setObject(old, forKey: "abandoned", expiry: nil)
    for key in ["abandoned", "never there"] {
      do {
        try await store.write(
          forKey: key, from: PartSource(StrataTestKit.bytes(700_000, seed: 6), .failure, at: 400_000))
        throw BrokenChain(explanation: "a write in parts whose source throws does not throw")
      } catch is PartSource.Failed {}
      try await expect(
        key == "abandoned" ? old : nil, at: key, in: store, "after a writer whose source threw")
    }
  }

  /// A tier fails during reads and writes in parts.
  private func failInTheMiddle() async throws {
    let (old, new) = (StrataTestKit.bytes(2_500_000, seed: 1), StrataTestKit.bytes(700_000, seed: 2))
    try await withFailures { chain, tier in
      let store = try bytes(chain)
      try await store.write(forKey: "key", from: PartSource(old))
      try await forget(["key"], in: chain)
      do {
        var found = Data()
        for try await part in try await store.read(forKey: "key") {
          found += part
          tier.state.fail(tier.failure)
        }
        try expect(found == old, "a read in parts during which \(tier) ends with \(shown(found))")
      } catch TierState.Failed() {}
      var hasReturned = false
      do {
        try await store.write(forKey: "key", from: PartSource(new))
        hasReturned = true
      } catch TierState.Failed() {}
      tier.state.fail(nil)
      let found = try await store.objectInParts(forKey: "key")
      try expect(
        found == new || !hasReturned && found == old,
        "after a write in parts \(hasReturned ? "returned" : "threw") while \(tier), \(shown(found)) is read")
      let beside = try await bytes(openBeside(tier.switches)).objectIfPresent(forKey: "key")
      try await expect(
        beside, at: "key", in: store,
        "after a write in parts while \(tier), with \(shown(beside)) in the back")
    }
  }
}

extension StorageAware where Value == Data {
  /// Reads a value in parts. Returns `nil` if there is none.
  func objectInParts(forKey key: Key) async throws -> Data? {
    do {
      var data = Data()
      for try await part in try await read(forKey: key) { data += part }
      return data
    } catch StorageError.notFound { return nil }
  }
}
