#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Foundation
import StrataCore
import Testing

@testable import StrataDisk

/// Keys of 1 kB. Equal strings are one key, whatever their Unicode composition, which must cost little time.
///
/// For `make soak CONFIG=release`: without optimisation, loops of our own are slower than the standard library's.
@Suite(.timeLimit(.minutes(2)), .enabled(if: !_isDebugAssertConfiguration(), "only with optimisation"))
struct LongKeySoakTests {
  /// A put of a non-ASCII key takes hardly more processor time than one of an ASCII key of the same length.
  @Test(arguments: ["é", "я", "日", "한", "ş", "🙂"])
  func aKeyThatIsNotASCII(_ character: String) throws { try expect(atMost: 2.5, character) }

  /// Letters of two scalars each, which have to be composed.
  @Test(arguments: ["e\u{301}", "o\u{302}\u{323}"])
  func aKeyThatIsDecomposed(_ character: String) throws { try expect(atMost: 12, character) }

  /// - Parameter ratio: The maximum processor time of a put, as a multiple of that for an ASCII key of the same length.
  private func expect(atMost ratio: Double, _ character: String) throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    let (ascii, other) = (Self.keys(of: "e"), Self.keys(of: character))
    // The minimum of many short runs, since a disturbance does not affect all of them.
    var (least, leastOther) = (Double.infinity, Double.infinity)
    for _ in 0..<15 {
      least = min(least, try Self.time(of: ascii, disk))
      leastOther = min(leastOther, try Self.time(of: other, disk))
    }
    #expect(leastOther < ratio * least, "\(leastOther) and \(least) µs a put")
    #expect(try disk.keys().count == ascii.count + other.count)
  }

  private static func keys(of character: String) -> [String] {
    (10..<30).map { "\($0)" + String(repeating: character, count: 1000 / character.utf8.count) }
  }

  /// Returns this thread's processor time per put, in microseconds.
  private static func time(of keys: [String], _ disk: DiskStorage<String>) throws -> Double {
    let value = Data(count: 10)
    let start = clock_gettime_nsec_np(CLOCK_THREAD_CPUTIME_ID)
    for key in keys { try disk.setObject(value, forKey: key, expiry: nil) }
    return Double(clock_gettime_nsec_np(CLOCK_THREAD_CPUTIME_ID) - start) / 1000 / Double(keys.count)
  }
}

#if !canImport(Darwin)
  private func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
#endif
