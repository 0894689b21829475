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

/// What a second process of a test is started for: the same check of the same subject, in the child's part.
struct Errand: Codable, Sendable {
  static let variable = "STRATA_TESTKIT_ERRAND"

  let promise: Contract
  let subject: String
  let folder: URL
  /// Sets what the child does apart from what others do.
  let seed: Int

  /// The errand of this process, if it was started for one.
  static let current: Errand? = ProcessInfo.processInfo.environment[variable].map { text in
    do { return try JSONDecoder().decode(Errand.self, from: Data(text.utf8)) } catch {
      preconditionFailure("\(variable) is set by the kit alone: \(error)")
    }
  }

  /// Does the child's part, and ends the process.
  func run(on subject: Subject) async -> Never {
    let parent = Line.toParent()
    let report: Report
    do {
      report = try await Trial(of: promise, on: subject, in: folder).runChild(seed: seed, parent)
    } catch let broken as BrokenPromise {
      report = .broken(broken.explanation)
    } catch let failure as CannotCheck {
      report = .failed(failure.description)
    } catch {
      report = .broken("in another process, it threw \(error)")
    }
    // If the parent is gone, there is nobody to tell.
    do { try parent.send(report) } catch { _exit(1) }
    // Without what runs at an exit: other cases of the test are still on their way.
    _exit(0)
  }
}

/// What a child tells its parent.
enum Report: Codable, Equatable {
  /// It has started, and has come to its errand.
  case ready
  /// A step of one of its tasks is done.
  case acknowledged(task: Int, step: Int)
  case done
  case found(Data?)
  case keys([String])
  case broken(String)
  /// The child's part cannot be done here.
  case failed(String)
}

/// What a parent asks of its child.
enum Order: Codable {
  case set(String, Data)
  case setMany([String: Data])
  case read(String)
  case remove(String)
  case keys
  /// To add 1 to a number so many times, each time by an update.
  case countUp(String, Int)
  /// To answer, and then to write batches until it is killed.
  case setEndlessly
}
