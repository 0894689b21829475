#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Reads that never wait: neither for the disk nor for a lock that anybody holds who does.
///
/// They see what an ordinary read would see, or cannot say. The locks they take are those of an index shard and of the
/// table of open segments, which nobody holds for longer than it takes to look into a table.
extension LogSession {
  /// From how many bytes on a record is left to an ordinary read: to copy and check it takes as long as to change
  /// threads.
  private static let lengthLimit = 1 << 16

  func entryAtHand(_ key: [UInt8]) -> AtHand<Entry<Data>> {
    atHand(key) { try smallEntry(key, at: $0, in: $1, atHand: true) }
  }

  func expiryAtHand(_ key: [UInt8]) -> AtHand<Expiry> {
    atHand(key) { try packedExpiry(of: key, at: $0, in: $1, atHand: true) }
  }

  private func atHand<R>(_ key: [UInt8], _ body: (Location, Segment) throws -> R?) -> AtHand<R> {
    if !knowsAll { return .unknown }
    // What the log does not hold may lie beside it in a file.
    let absent: AtHand<R> = options.old.isEmpty ? .absent : .unknown
    let print = fingerprint(key)
    guard let location = index.use(print) else { return absent }
    let span = control.span
    guard span.contains(location) else {
      // It went with its segment, unless it was moved meanwhile.
      return knowsAll && index.find(print)?.location.isSame(location) == true ? absent : .unknown
    }
    guard !location.isFile, location.length <= Self.lengthLimit, canReadAtHand,
      let segment = segments.opened(span.segment(of: location))
    else { return .unknown }
    do {
      // Nothing is the record of another key. It is as rare as damage, and judged with it.
      return try body(location, segment).map(AtHand.found) ?? .unknown
    } catch {
      if let code = (error as? SystemError)?.code, File.neverAtHand.contains(code) { canReadAtHand = false }
      return .unknown
    }
  }
}
