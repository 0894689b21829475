#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  /// Runs `body` with a second process of this test, which is killed afterwards.
  func withChild<R>(seed: Int = 0, in folder: URL? = nil, _ body: (Child) async throws -> R) async throws -> R
  {
    let assignment = Assignment(
      check: promise.rawValue, subject: subject.name, folder: folder ?? self.folder, seed: seed)
    let child = try Child(assignment, log: log)
    defer { child.kill() }
    return try await body(child)
  }

  /// Runs the child's part of a check.
  func runChild(seed: Int, _ parent: Line) async throws -> Report {
    switch promise {
    case .severalProcesses, .updating: try await obey(parent)
    case .tornStreams: try await streamUntilKilled(after: seed, parent)
    case .survivingKill: try await writeUntilKilled(round: seed, parent)
    case .fullDisk: try await fillDisk(parent)
    case .readOnlyFolder: try await tryReadOnlyFolder(parent)
    default: throw CannotCheck("this check has no second process")
    }
    return .done
  }
}
