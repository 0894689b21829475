import StrataCore
import Synchronization

/// How far the log is on stable storage.
struct LogSync: Sendable {
  var position: LogPosition
  /// The newest segment whose name is on stable storage.
  var folderSegment = 0
  /// What was written before this may be lost, and the system has said so to one of those who asked.
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
  /// Threads that ask at the same time wait for the one that came first. What it makes stable is all that was written
  /// when it started, so that most of them find nothing left to do.
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
        // The system forgets such a failure once it is told: whoever asks for these bytes must hear of it from here.
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

  /// Returns when all of the log is on stable storage, whoever wrote it.
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
      case .success(let segment): try segment?.sync()
      case .failure(let error as SystemError): throw error
      // A segment that has been damaged meanwhile is met by those who read it.
      case .failure: break
      }
      number += 1
    }
  }
}
