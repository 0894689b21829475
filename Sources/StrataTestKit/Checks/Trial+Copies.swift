#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  /// Checks that the store keeps no copies in memory of values that were removed or have expired.
  ///
  /// A store may fill a buffer or release memory later, and other tests need and release memory too. Therefore, only
  /// memory that grows in nearly all of many rounds, and then stays, counts as kept. For most stores the third round is
  /// the last.
  func expectNoCopies(in store: Store) async throws {
    let (size, rounds) = (self.size(300_000), 32)
    // Copies of small values are as small as what a store or another test may need for other purposes. A sanitizer
    // keeps memory that was freed.
    guard size >= 30_000, !Sanitizer.isOn, var last = LentMemory.bytes() else { return }
    let values = 10_000_000 / size
    let canExpire = subject.except.isDisjoint(with: [.pastExpiry, .sweeping])
    var value = bytes(size, seed: 1)
    var (grown, quiet) = (0, 0)
    for round in 0..<rounds {
      for number in 0..<values {
        let key = "copied \(round) \(number)"
        withUnsafeBytes(of: round * values + number) { value.replaceSubrange(0..<8, with: $0) }
        try await store.setObject(value, forKey: key, expiry: nil)
        _ = try await store.objectIfPresent(forKey: key)
        if canExpire && number % 2 == 0 {
          try await store.setObject(value, forKey: key, expiry: .date(.distantPast))
        } else {
          try await store.removeObject(forKey: key)
        }
      }
      try await store.removeExpiredObjects()
      let memory = LentMemory.bytes() ?? last
      if memory - last < values * size / 4 {
        // Once or twice, what an earlier test releases may hide what this store keeps.
        quiet += 1
        if quiet == 3 { return }
      } else {
        grown += memory - last
      }
      last = memory
    }
    let most = last
    try await waitUntil {
      last = LentMemory.bytes() ?? 0
      return most - last > grown / 2
    }
    try expect(
      most - last > grown / 2,
      "memory grows by \(grown) bytes while \(rounds * values * size) bytes are stored, and removed or expired"
    )
  }
}
