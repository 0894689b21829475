#if os(Linux)
  import Foundation
  import StrataDisk
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
    func start() throws -> Worker {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe")
      process.arguments = [
        "--testing-library", "swift-testing", "--filter", "^StrataDiskTests\\.WorkerTests/",
      ]
      process.environment = ProcessInfo.processInfo.environment.merging([
        Self.variable: String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
      ]) { $1 }
      let log = Pipe()
      process.standardOutput = log
      process.standardError = log
      try process.run()
      return Worker(process: process, log: log)
    }
  }

  /// A process that was started for a task.
  struct Worker {
    let process: Process
    let log: Pipe

    func signal(_ number: CInt) { kill(process.processIdentifier, number) }

    /// Waits until it has ended by itself, and throws if it failed.
    func finish() throws {
      let said = try log.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      struct Failure: Error { let said: String }
      if process.terminationStatus != 0 { throw Failure(said: String(decoding: said, as: UTF8.self)) }
    }

    /// Ends it as `kill -9` does, also if it was stopped.
    func end() {
      signal(SIGKILL)
      process.waitUntilExit()
    }
  }

  /// The other side: what a started process does instead of testing.
  struct WorkerTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment[WorkerTask.variable] != nil))
    func works() throws {
      guard let task = try WorkerTask.current else { return }
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
