#if os(Linux)
  import Foundation
  import StrataDisk
  import TestSupport
  import Testing

  /// What a process does that a test starts beside itself, all over one folder.
  struct WorkerTask: Codable, Sendable {
    enum Job: Codable {
      /// To read and write what others read and write, and note what came of it.
      case history(rounds: Int, start: Int, spacing: Int)
      /// To write, remove and read until it is killed.
      case endless
    }

    static let variable = "STRATA_DISK_WORKER"

    let job: Job
    let folder: URL
    let maxSize: UInt
    let number: Int
    /// Where the notes go.
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
    /// Waits until it has ended by itself, and throws if it failed.
    func finish() throws {
      struct Failure: Error { let said: String }
      if wait() != .exit(0) { throw Failure(said: String(decoding: try printed, as: UTF8.self)) }
    }

    /// Ends it as `kill -9` does, also if it was stopped.
    func stop() {
      signal(SIGKILL)
      wait()
    }
  }

  /// The other side: what a started process does instead of testing.
  struct WorkerTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment[WorkerTask.variable] != nil))
    func works() throws {
      guard let task = try WorkerTask.current else { return }
      // If the tests die that started it, it does not go on for ever.
      alarm(600)
      switch task.job {
      case .history(let rounds, let start, let spacing):
        try SharedHistory(task).record(rounds: rounds, start: start, spacing: spacing)
      case .endless: try EndlessWork(task).run()
      }
    }
  }

  /// A moment, in nanoseconds, that all processes of the machine agree on.
  func moment() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
#endif
