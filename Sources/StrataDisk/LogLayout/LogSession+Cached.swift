#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Reads that never block: neither on the disk nor on a lock whose owner may block.
///
/// They return the result of an ordinary read, or `.unknown`. They lock only an index shard and the table of open
/// segments, for one access each.
extension LogSession {
  /// The length from which a record is left to an ordinary read: copying and checking it takes as long as changing
  /// threads.
  private static let lengthLimit = 1 << 16

  func cachedEntry(_ key: [UInt8]) -> CacheLookup<Entry<Data>> {
    cached(key) { try smallEntry(key, at: $0, in: $1, cached: true) }
  }

  func cachedExpiry(_ key: [UInt8]) -> CacheLookup<Expiry> {
    cached(key) { try packedExpiry(of: key, at: $0, in: $1, cached: true) }
  }

  private func cached<R>(_ key: [UInt8], _ body: (Location, Segment) throws -> R?) -> CacheLookup<R> {
    if !knowsAll { return .unknown }
    // A key that is not in the log may have an old file next to it.
    let absent: CacheLookup<R> = options.old.isEmpty ? .absent : .unknown
    let print = fingerprint(key)
    guard let location = index.use(print) else { return absent }
    let span = control.span
    guard span.contains(location) else {
      // The entry was evicted with its segment, unless it was moved meanwhile.
      return knowsAll && index.find(print)?.location.isSame(location) == true ? absent : .unknown
    }
    guard !location.isFile, location.length <= Self.lengthLimit, canReadCached,
      let segment = segments.opened(span.segment(of: location))
    else { return .unknown }
    do {
      // `nil` means another key's record, which is as rare as damage; the ordinary read handles both.
      return try body(location, segment).map(CacheLookup.found) ?? .unknown
    } catch {
      if let code = (error as? SystemError)?.code, File.neverCached.contains(code) { canReadCached = false }
      return .unknown
    }
  }
}
