package import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Processes that load one key under leases, over a shared store. The test starts itself again as second processes.
package struct LeaseTrial: Sendable {
  package enum Part: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case stampede, killed, stopped

    package var testDescription: String { rawValue }
  }

  package typealias Load = @Sendable () async throws -> Data
  /// Reads the key, and loads its value if it is absent.
  package typealias Read = @Sendable () async throws -> Data
  /// Opens the store described by `words`, with a loader, under leases of the given duration.
  package typealias Open =
    @Sendable (_ words: [String], _ lease: Duration, @escaping Load) async throws -> Read

  private static let processes = 4
  private static let tasks = 1000

  private let open: Open

  package init(_ open: @escaping Open) { self.open = open }

  /// Runs a part of the trial. In a second process, runs that process's share of it.
  package func run(_ part: Part, _ words: [String]) async throws {
    if let arguments = SecondProcess.arguments {
      await SecondProcess.run {
        switch Part(rawValue: arguments[0]) {
        case .stampede: try await stampedeChild(Marks(arguments[1]), Array(arguments[2...]))
        default: try await holder(Marks(arguments[1]), Array(arguments[2...]))
        }
      }
    }
    let folder = TemporaryFolder()
    let start = { try SecondProcess.start(words: [part.rawValue, folder.url.path] + words) }
    switch part {
    case .stampede: try await stampede(Marks(folder.url.path), start)
    case .killed: try await killed(words, start)
    case .stopped: try await stopped(Marks(folder.url.path), words, start)
    }
  }

  /// The files with which the processes count loads and signal each other.
  private struct Marks {
    let ready, go, begun, loads, end: ProcessLine

    init(_ folder: String) {
      func line(_ name: String) -> ProcessLine { ProcessLine(URL(filePath: "\(folder)/\(name)")) }
      (ready, go, begun, loads, end) = (line("ready"), line("go"), line("begun"), line("loads"), line("end"))
    }
  }

  // MARK: Many processes, one load

  private func stampede(_ marks: Marks, _ start: () throws -> Program) async throws {
    let programs = try (0..<Self.processes).map { _ in try start() }
    await marks.ready.marks(Self.processes)
    try marks.go.mark()
    for program in programs {
      #expect(program.wait() == .exit(0))
      let lines = try program.lines
      #expect(lines.contains("all have it"), "it said \(lines.suffix(5))")
    }
    #expect(marks.loads.count == 1)
  }

  private func stampedeChild(_ marks: Marks, _ words: [String]) async throws {
    let read = try await open(words, .seconds(60)) {
      try marks.loads.mark()
      await marks.begun.marks(Self.processes)
      return Data("value".utf8)
    }
    try marks.ready.mark()
    await marks.go.marks(1)
    try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<Self.tasks { group.addTask { try await read() } }
      try marks.begun.mark()
      for try await value in group where value != Data("value".utf8) { throw POSIXError(.EILSEQ) }
    }
    SecondProcess.say("all have it")
  }

  // MARK: A holder that dies or is stopped

  private func holder(_ marks: Marks, _ words: [String]) async throws {
    let read = try await open(words, .milliseconds(500)) {
      SecondProcess.say("loading")
      await marks.end.marks(1)
      return Data("late".utf8)
    }
    SecondProcess.say("read \(String(decoding: try await read(), as: UTF8.self))")
  }

  private func killed(_ words: [String], _ start: () throws -> Program) async throws {
    let holder = try start()
    try await holder.says("loading")
    let loads = Shared(0)
    let read = try await open(words, .milliseconds(500)) {
      loads.change { $0 += 1 }
      return Data("next".utf8)
    }
    async let value = read()
    holder.signal(SIGKILL)
    #expect(holder.wait() == .signal(SIGKILL))
    #expect(try await value == Data("next".utf8))
    #expect(loads.value == 1)
  }

  private func stopped(_ marks: Marks, _ words: [String], _ start: () throws -> Program) async throws {
    let holder = try start()
    try await holder.says("loading")
    holder.signal(SIGSTOP)
    defer { if holder.isRunning { holder.signal(SIGKILL) } }
    let next: Load = { Data("next".utf8) }
    let read = try await open(words, .milliseconds(500), next)
    #expect(try await read() == Data("next".utf8))
    try marks.end.mark()
    holder.signal(SIGCONT)
    try await holder.says("read late")
    #expect(holder.wait() == .exit(0))
    let again = try await open(words, .milliseconds(500)) {
      Issue.record("a stored value is gone")
      return Data()
    }
    #expect(try await again() == Data("next".utf8))
  }
}
