import StrataCore
import Synchronization

/// The position up to which the log is on stable storage.
struct LogSync: Sendable {
  var position: LogPosition
  /// The newest segment whose name is on stable storage.
  var folderSegment = 0
  /// A failed sync: records before this position may be lost. The system reported it to one thread only.
  private(set) var failed: (position: LogPosition, error: SystemError)?

  init(position: LogPosition) { self.position = position }

  mutating func fail(upTo position: LogPosition, _ error: SystemError) { failed = (position, error) }
}

extension LogPosition: Comparable {
  static func < (left: LogPosition, right: LogPosition) -> Bool { left.bits < right.bits }
}

extension LogSession {
  /// Returns when the log is on stable storage up to a position.
  ///
  /// Concurrent callers wait for the first one. It syncs all records written before it started, so that most of the
  /// others find nothing left to do.
  func sync(upTo end: LogPosition) throws {
    let error = synced.withLock { synced -> SystemError? in
      if let failed = synced.failed, end <= failed.position { return failed.error }
      if synced.position >= end { return nil }
      let tail = control.tail
      do throws(SystemError) {
        try sync(from: synced.position.segment, to: tail.segment)
        if synced.folderSegment < tail.segment {
          try folder.sync()
          synced.folderSegment = tail.segment
        }
      } catch {
        // The system reports such a failure once and then forgets it, so later callers get it from here.
        synced.fail(upTo: tail, error)
        return error
      }
      synced.position = tail
      return nil
    }
    if let error {
      needsNewSegment.store(true, ordering: .releasing)
      throw error
    }
  }

  /// Returns when the whole log is on stable storage, including records of other processes.
  func syncAll() throws {
    try synced.withLock { _ in
      try sync(from: control.oldest, to: control.tail.segment)
      try folder.sync()
    }
  }

  private func sync(from first: Int, to last: Int) throws(SystemError) {
    var number = max(first, control.oldest)
    while number <= last {
      let result = Result { try segments.segment(number) }
      switch result {
      case .success(let segment): try segment?.file.sync()
      case .failure(let error as SystemError): throw error
      // Reads report a segment that has been damaged meanwhile.
      case .failure: break
      }
      number += 1
    }
  }
}
