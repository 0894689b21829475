#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The assignment of a second process: the child's part of the same check of the same subject.
struct Assignment: Codable, Sendable {
  static let variable = "STRATA_TESTKIT_CHILD"

  /// The name of the check: of a promise of a store, or of one of a chain.
  let check: String
  let subject: String
  let folder: URL
  /// A seed that makes the operations of each child different.
  let seed: Int

  /// The assignment of this process, if it was started as a child.
  static let current: Assignment? = ProcessInfo.processInfo.environment[variable].map { text in
    do { return try JSONDecoder().decode(Assignment.self, from: Data(text.utf8)) } catch {
      preconditionFailure("\(variable) must be set only by StrataTestKit: \(error)")
    }
  }

  private static let isTaken = Locked(false)

  /// Runs the child's part and ends the process.
  func run(_ body: (Line) async throws -> Report) async -> Never {
    // Test cases of two promises may find the assignment. The second one waits until the first one ends the process.
    let isFirst = Self.isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    if !isFirst { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    let parent = Line.toParent()
    parent.endProcessWithOtherSide()
    let report: Report
    do {
      report = try await body(parent)
    } catch let broken as BrokenPromise {
      report = .broken(broken.explanation)
    } catch let failure as CannotCheck {
      report = .failed(failure.description)
    } catch {
      report = .broken("in another process, it threw \(error)")
    }
    // Without the parent, the report cannot be sent.
    do { try parent.send(report) } catch { _exit(1) }
    // Exit handlers are skipped, because other cases of the test are still running.
    _exit(0)
  }
}

/// A message from a child to its parent.
enum Report: Codable, Equatable {
  /// The child has started its part.
  case ready
  /// A step of one of the child's tasks is done.
  case acknowledged(task: Int, step: Int)
  case done
  case found(Data?)
  case expires(Date?)
  case keys([String])
  case broken(String)
  /// The child's part cannot be executed in this environment.
  case failed(String)
}

/// An order from a parent to its child.
enum Order: Codable {
  case set(String, Data)
  case setMany([String: Data])
  case read(String)
  case remove(String)
  case keys
  /// Increment a number that many times, each time by an update.
  case countUp(String, Int)
  /// Answer, then write batches until the process is killed.
  case setEndlessly
}
