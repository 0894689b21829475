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

/// The memory that glibc has lent to the process.
enum LentMemory {
  /// glibc's `malloc_info`, which Swift's Glibc module does not declare; `nil` in a program without dynamic symbols,
  /// and with other C libraries.
  ///
  /// Unsafe: according to glibc's documentation, the symbol is a C function of this type.
  private static let mallocInfo = dlsym(nil, "malloc_info").map {
    unsafeBitCast($0, to: (@convention(c) (CInt, UnsafeMutableRawPointer) -> CInt).self)
  }

  /// Returns how many bytes the process has allocated and not freed, or `nil` if that is unknown.
  ///
  /// The memory that the system has given to the process would tell less: glibc keeps much of what was freed.
  static func bytes() -> Int? {
    #if canImport(Glibc)
      var (text, size) = (UnsafeMutablePointer<CChar>?.none, 0)
      guard let mallocInfo, let stream = open_memstream(&text, &size) else { return nil }
      let status = mallocInfo(0, UnsafeMutableRawPointer(stream))
      fclose(stream)
      defer { free(text) }
      guard status == 0, let text else { return nil }
      // The sums of all arenas come last.
      let sums = String(cString: text).split(separator: "</heap>").last ?? ""
      func sum(_ type: String) -> Int? {
        sums.firstRange(of: type).flatMap { place in
          sums[place.upperBound...].firstRange(of: "size=\"").flatMap {
            Int(sums[$0.upperBound...].prefix { $0.isNumber })
          }
        }
      }
      guard let system = sum("<system type=\"current\""), let mapped = sum("<total type=\"mmap\""),
        let fast = sum("<total type=\"fast\""), let rest = sum("<total type=\"rest\"")
      else { return nil }
      return system + mapped - fast - rest
    #else
      return nil
    #endif
  }
}
