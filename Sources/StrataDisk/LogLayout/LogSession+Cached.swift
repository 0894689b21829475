#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Reads that never block: neither on the disk nor on a lock whose owner may block.
///
/// They return the result of an ordinary read, or throw `WouldWait`. They lock only an index shard and the table of
/// open segments, for one access each.
extension LogSession {
  /// The length from which a record is left to an ordinary read: copying and checking it takes as long as changing
  /// threads.
  private static let lengthLimit = 1 << 16

  func cachedEntry(_ key: [UInt8], _ wanted: Wanted) throws(WouldWait) -> Entry<Data>? {
    if !knowsAll { throw WouldWait() }
    let print = fingerprint(key)
    let location = index.use(print)
    let span = control.span
    guard let location, span.contains(location) else {
      // The entry was evicted with its segment, unless it was moved meanwhile. A key that is not in the log may have
      // an old file next to it.
      let isAbsent = location.map { knowsAll && index.find(print)?.location.isSame($0) == true } ?? true
      if isAbsent, options.old.isEmpty { return nil }
      throw WouldWait()
    }
    guard !location.isFile, location.length <= Self.lengthLimit, canReadCached,
      let segment = segments.opened(span.segment(of: location))
    else { throw WouldWait() }
    do {
      // `nil` means another key's record, which is as rare as damage; the ordinary read handles both.
      if let entry = try packedEntry(key, at: location, in: segment, wanted, cached: true) { return entry }
    } catch {
      if let code = (error as? SystemError)?.code, File.neverCached.contains(code) { canReadCached = false }
    }
    throw WouldWait()
  }
}
