import Foundation
import StrataCore
import StrataRocksDB
import TestSupport
import Testing

/// Many openings for reading in `make soak`; some in `make test`.
@Suite(.endsInTime) struct RocksDBReadOnlySoakTests {
  private let folder = TestFolder()

  /// The number of entries that have been stored, and whether the writer has to end.
  private final class Progress: Sendable {
    let stored = Locked(0)
    let isDone = Locked(false)
  }

  private func write(_ progress: Progress) throws {
    let number = progress.stored.withLock { $0 }
    try folder.open().setObject(text("\(number)"), forKey: "\(number)")
    progress.stored.withLock { $0 += 1 }
  }

  /// A writer that opens the database moves the entries of its log to a table, and deletes the log.
  @Test func aReaderMissesNothingThatWasStoredBeforeItOpened() async throws {
    let progress = Progress()
    try write(progress)
    async let writing: Void = onThread {
      while !progress.isDone.withLock({ $0 }) { try write(progress) }
    }
    for _ in 0..<Soak.rounds(100, soak: 5000) {
      let count = progress.stored.withLock { $0 }
      let store = try folder.open { $0.isReadOnly = true }
      let keys = await Set(try store.keys())
      #expect((0..<count).filter { !keys.contains("\($0)") } == [])
    }
    progress.isDone.withLock { $0 = true }
    try await writing
    #expect(progress.stored.withLock { $0 } > 1)
  }
}
