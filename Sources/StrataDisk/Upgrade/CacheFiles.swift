import StrataCore

/// The sizes and times of the files of Cache by hyperoslo that have not been imported, as last listed: their names do
/// not contain the keys, but their times are their expiries.
final class CacheFiles: Sendable {
  private struct List: Sendable {
    /// The names of the files, the ones that expire first at the end.
    var names: [String] = []
    /// The sizes of the files that are left.
    var sizes: [String: Int] = [:]
    var bytes = 0

    mutating func forget(_ name: String) { bytes -= sizes.removeValue(forKey: name) ?? 0 }
  }

  private let folder: EntryFolder
  private let list = Locked<List?>(nil)

  init(in folder: EntryFolder) { self.folder = folder }

  /// Lists the folder, deletes the files that have expired by a clock, and returns the bytes of the others.
  @discardableResult
  func measure(removingExpiredBy clock: StorageClock? = nil) throws(SystemError) -> Int {
    var new = List()
    for (name, status) in try folder.filesNewestFirst(where: EntryName.isMD5) where status.isRegular {
      if let clock, CacheFile.expiry(status).isExpired(by: clock) {
        try folder.remove(name)
      } else {
        new.names.append(name)
        new.sizes[name] = status.size
        new.bytes += status.size
      }
    }
    list.withLock { [new] in $0 = new }
    return new.bytes
  }

  /// The bytes of the files that this process knows of. Files that other programs write meanwhile do not count, and
  /// those that they delete still do.
  var knownBytes: Int {
    get throws(SystemError) { if let bytes = list.withLock({ $0?.bytes }) { bytes } else { try measure() } }
  }

  /// Records that a file is gone.
  func forget(_ name: String) { list.withLock { $0?.forget(name) } }

  /// Deletes files, the ones that expire first before others, until there are this many bytes less; except some files,
  /// whose bytes count as deleted.
  func evict(_ bytes: Int, sparing spared: [String]) throws(SystemError) {
    var excess = list.withLock { list in bytes - spared.reduce(0) { $0 + (list?.sizes[$1] ?? 0) } }
    while excess > 0, let (name, size) = next(sparing: spared) {
      try folder.remove(name)
      forget(name)
      excess -= size
    }
  }

  private func next(sparing spared: [String]) -> (String, Int)? {
    list.withLock { list in
      while let index = list?.names.lastIndex(where: { !spared.contains($0) }),
        let name = list?.names.remove(at: index)
      {
        if let size = list?.sizes[name] { return (name, size) }
      }
      return nil
    }
  }
}
