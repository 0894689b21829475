#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  /// Checks that the store keeps no copies in memory of values that were removed or have expired.
  ///
  /// A store may fill a buffer or release memory later, and other tests need memory too. Therefore, only memory that
  /// grows in every one of many rounds, and then stays, counts as kept. For most stores the first round is the last.
  func expectNoCopies(in store: Store) async throws {
    let (size, rounds) = (self.size(300_000), 32)
    // Copies of small values are as small as what a store or another test may need for other purposes. A sanitizer
    // keeps memory that was freed.
    if size < 30_000 || Sanitizer.isOn { return }
    let values = 10_000_000 / size
    let canExpire = subject.except.isDisjoint(with: [.pastExpiry, .sweeping])
    var value = bytes(size, seed: 1)
    let first = try privateMemory()
    var last = first
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
      let memory = try privateMemory()
      if memory - last < values * size / 4 { return }
      last = memory
    }
    let grown = last - first
    try await waitUntil {
      last = try privateMemory()
      return last - first < grown / 2
    }
    try expect(
      last - first < grown / 2,
      "memory grows by \(last - first) bytes while \(rounds * values * size) bytes are stored, and removed or expired"
    )
  }

  /// Returns how many bytes of memory the process uses that belong to no file. Linux only.
  private func privateMemory() throws -> Int {
    // Otherwise memory that was freed before the check hides what the store keeps.
    FreedMemory.giveBack()
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      .compactMap { Int($0) }
    return (pages[1] - pages[2]) * Int(getpagesize())
  }
}
