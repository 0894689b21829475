#if os(Linux)
  import Foundation
  import StrataDisk
  import TestSupport
  import Testing

  /// The task of a process that a test starts; all processes use one folder.
  struct WorkerTask: Codable, Sendable {
    enum Job: Codable {
      /// Reads and writes shared keys, and records the results. The file `start` contains the time to begin, once all
      /// processes have opened the store.
      case history(rounds: Int, start: URL, spacing: Int)
      /// Writes, removes and reads until the process is killed.
      case endless
    }

    static let variable = "STRATA_DISK_WORKER"

    let job: Job
    let folder: URL
    let maxSize: UInt
    let number: Int
    /// The file for the recorded operations.
    let notes: URL

    /// The task of this process, if it was started for one.
    static var current: WorkerTask? {
      get throws {
        try ProcessInfo.processInfo.environment[variable].map {
          try JSONDecoder().decode(WorkerTask.self, from: Data($0.utf8))
        }
      }
    }

    func open() throws -> DiskStorage<String> {
      try DiskStorage(config: DiskConfig(name: "store", maxSize: maxSize, directory: folder))
    }

    /// Starts a process of the same program for this task.
    func start() throws -> Program {
      let own = [Self.variable: String(decoding: try JSONEncoder().encode(self), as: UTF8.self)]
      return try Program(
        [
          "/proc/self/exe", "--testing-library", "swift-testing", "--filter",
          "^StrataDiskTests\\.WorkerTests/",
        ],
        environment: ProcessInfo.processInfo.environment.merging(own) { $1 })
    }
  }

  extension Program {
    /// Waits until the process has ended, and throws if it failed.
    func finish() throws {
      struct Failure: Error { let said: String }
      if wait() != .exit(0) { throw Failure(said: String(decoding: try printed, as: UTF8.self)) }
    }

    /// Kills the process as `kill -9` does, even if it is stopped.
    func stop() {
      signal(SIGKILL)
      wait()
    }
  }

  /// The entry point of a started process, which does its task instead of testing.
  struct WorkerTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment[WorkerTask.variable] != nil))
    func works() throws {
      guard let task = try WorkerTask.current else { return }
      // Ends this process after a while even if its parent has died.
      alarm(600)
      switch task.job {
      case .history(let rounds, let start, let spacing):
        try SharedHistory(task).record(rounds: rounds, start: start, spacing: spacing)
      case .endless: try EndlessWork(task).run()
      }
    }
  }

  /// The current time in nanoseconds, by a clock that all processes of the machine share.
  func moment() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
#endif
