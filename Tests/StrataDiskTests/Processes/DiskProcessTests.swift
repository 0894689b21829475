#if os(Linux)
  import Foundation
  import StrataCore
  import StrataTestKit
  import TestSupport
  import Testing

  @testable import StrataDisk

  /// Four processes over one folder.
  @Suite(.serialized) struct DiskProcessTests {
    private func workers(
      _ job: WorkerTask.Job, in folder: TestFolder, maxSize: UInt
    ) throws -> (tasks: [WorkerTask], [Program]) {
      let tasks = (0..<SharedHistory.processes).map {
        WorkerTask(
          job: job, folder: folder.url, maxSize: maxSize, number: $0,
          notes: folder.url.appending(path: "notes \($0)"))
      }
      return (tasks, try tasks.map { try $0.start() })
    }

    /// A write or removal is visible to the next read in any process: an order of all operations on a key exists in
    /// which every read returns the latest write.
    ///
    /// Under a limit, any entry may be evicted at any time, but a read never returns an older value.
    @Test(arguments: [0, 1_500_000] as [UInt])
    func theHistoryOfEachKeyHasAnOrder(_ maxSize: UInt) throws {
      // On a busy machine the processes may not have overlapped, and then nothing was tested.
      var overlaps = 0
      for _ in 0..<20 where overlaps <= 10 { overlaps += try checkHistory(maxSize) }
      #expect(overlaps > 10)
    }

    /// Runs four processes, and returns how many of their operations overlapped with another process's.
    private func checkHistory(_ maxSize: UInt) throws -> Int {
      let folder = try TestFolder(.automatic)
      let rounds = 60
      let start = folder.url.appending(path: "start")
      let (tasks, workers) = try workers(
        .history(rounds: rounds, start: start, spacing: 6_000_000), in: folder, maxSize: maxSize)
      defer { workers.forEach { $0.stop() } }
      try waitUntilAllWork(tasks, workers)
      try text("\(moment() + 5_000_000)").write(to: start, options: .atomic)
      for worker in workers { try worker.finish() }
      var histories: [String: [HistoryEvent]] = [:]
      var overlaps = 0
      for task in tasks {
        let notes = try JSONDecoder().decode([SharedHistory.Note].self, from: Data(contentsOf: task.notes))
        for note in notes {
          if maxSize > 0, note.read == 0 { continue }
          let action: HistoryEvent.Action =
            note.wrote.map { $0 == 0 ? .remove : .write($0) } ?? .read(note.read == 0 ? nil : note.read)
          if histories[note.key, default: []].contains(where: { $0.start < note.end && note.start < $0.end })
          {
            overlaps += 1
          }
          histories[note.key, default: []].append(
            HistoryEvent(action, start: note.start, end: note.end, by: "process \(task.number)"))
        }
      }
      #expect(histories.count > rounds)
      for (key, events) in histories {
        #expect(
          isLinearizable(events, from: nil),
          "\(key): \(events.sorted { $0.start < $1.start }.map(\.description).joined(separator: "; "))")
      }
      let disk = try folder.open()
      #expect(try disk.verify() == [])
      #expect(try disk.totalSize == folder.logBytes())
      return overlaps
    }

    /// At any moment the files are within the limit, except for files that have not been moved to `Values` yet, and for
    /// files that the current write replaces. One process writes at a time, with at most three values as files.
    @Test func theLimitHoldsForAllProcessesTogether() throws {
      let folder = try TestFolder(.automatic)
      let limit = 1_000_000
      let (tasks, workers) = try workers(.endless, in: folder, maxSize: UInt(limit))
      defer { workers.forEach { $0.stop() } }
      try waitUntilAllWork(tasks, workers)
      var largest = 0
      for _ in 0..<150 {
        workers.forEach { $0.signal(SIGSTOP) }
        for worker in workers { try waitUntilStopped(worker) }
        largest = max(largest, try folder.logBytes())
        workers.forEach { $0.signal(SIGCONT) }
        usleep(2000)
      }
      for worker in workers { #expect(worker.isRunning) }
      workers.forEach { $0.stop() }
      #expect(largest <= limit + 3 * 70_200, "70 000 bytes, with a header and the key")
      #expect(largest > limit / 2)
      // The first change completes what the stopped processes began.
      let disk = try folder.open(maxSize: UInt(limit))
      try disk.setObject(Data(), forKey: "last")
      #expect(try folder.logBytes() <= limit)
      #expect(try disk.totalSize == folder.logBytes())
    }

    /// Processes are killed at any point, and the others continue to write at once; the remaining files are sound.
    @Test func aKilledProcessBlocksNoOther() throws {
      let folder = try TestFolder(.automatic)
      let disk = try folder.open(maxSize: 1_000_000)
      for _ in 0..<2 {
        let (tasks, workers) = try workers(.endless, in: folder, maxSize: 1_000_000)
        defer { workers.forEach { $0.stop() } }
        try waitUntilAllWork(tasks, workers)
        for (number, worker) in workers.enumerated() {
          worker.stop()
          let start = moment()
          try disk.setObject(text("\(number)"), forKey: "alive", expiry: nil)
          #expect(moment() - start < 10_000_000_000)
          #expect(try disk.objectIfPresent(forKey: "alive") == text("\(number)"))
        }
        #expect(try disk.verify().filter { $0.kind == .damaged } == [])
        try disk.repair()
        #expect(try disk.verify() == [])
        #expect(try disk.totalSize == folder.logBytes())
      }
      #expect(folder.damage.all == [])
    }

    /// A process that is stopped while it holds the lock prevents others from writing, but not from reading.
    @Test func aStoppedProcessBlocksNoReader() throws {
      let folder = try TestFolder(.automatic)
      let disk = try folder.open(maxSize: 1_000_000)
      try disk.setObject(text("value"), forKey: "mine", expiry: nil)
      let (tasks, workers) = try workers(.endless, in: folder, maxSize: 0)
      defer { workers.forEach { $0.stop() } }
      try waitUntilAllWork(tasks, workers)
      let control = try ControlFile(in: EntryFolder(path: folder.store.path))
      // Repeats until the stopped process holds the lock.
      try waitUntil("a process has the lock") {
        workers.forEach { $0.signal(SIGSTOP) }
        for worker in workers { try waitUntilStopped(worker) }
        if control.load(.owner) != 0 { return true }
        workers.forEach { $0.signal(SIGCONT) }
        usleep(1000)
        return false
      }
      #expect(try disk.objectIfPresent(forKey: "mine") == text("value"))
      for key in 0..<200 {
        if let found = try disk.entryIfPresent(forKey: "\(key)")?.object {
          #expect(found == EndlessWork.value(key, found.count))
        }
      }
      workers.forEach { $0.stop() }
      try disk.setObject(text("new"), forKey: "mine", expiry: nil)
      #expect(try disk.objectIfPresent(forKey: "mine") == text("new"))
    }

    /// Waits until the process has stopped, since a signal takes time to arrive.
    private func waitUntilStopped(_ worker: Program) throws {
      try waitUntil("a process is stopped") {
        let status = try String(
          contentsOfFile: "/proc/\(worker.process)/stat", encoding: .utf8)
        // The state follows the name, which is in brackets.
        let state = status[status.index(after: try #require(status.lastIndex(of: ")")))...].first {
          $0 != " "
        }
        try #require(state != "Z", "the process has ended")
        return state == "T"
      }
    }

    private func waitUntilAllWork(_ tasks: [WorkerTask], _ workers: [Program]) throws {
      try waitUntil("all processes work") {
        for worker in workers where !worker.isRunning { try worker.finish() }
        return tasks.allSatisfy { FileManager.default.fileExists(atPath: $0.notes.path) }
      }
    }

    /// Blocks until other processes fulfil a condition; throws if they do not within minutes.
    private func waitUntil(_ what: Comment, _ condition: () throws -> Bool) throws {
      let end = ContinuousClock.now + .seconds(180)
      while try !condition() {
        try #require(ContinuousClock.now < end, what)
        usleep(200)
      }
    }
  }
#endif
