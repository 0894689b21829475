import Foundation
import Strata
import TestSupport
import Testing

/// Typed values over one folder, changed by two processes.
@Suite("Updates by two processes", .endsInTime) struct RivalUpdateTests {
  enum Chain: String, CaseIterable, Sendable {
    case disk, memoryAndDisk, threeTiers, compressed, files
  }

  /// How the functions of a chain are called.
  enum Call: String, CaseIterable, Sendable {
    case blocking, suspending, inCaller
  }

  @Test(
    "every change is in the sum",
    arguments: Soak.sample(
      Chain.allCases.flatMap { chain in Call.allCases.map { (chain, $0) } }, oneIn: 3), RivalUpdate.allCases)
  func sum(_ chain: (Chain, Call), _ change: RivalUpdate) async throws {
    let (kind, call) = chain
    try await change.run("\(kind.rawValue) \(call.rawValue)") {
      [TemporaryFolder().url.path]
    } open: { words in
      let numbers = try Self.open(kind, words[0])
      let tallies = numbers.transform(to: Tally.self)
      return switch call {
      case .blocking:
        RivalUpdate.Views(numbers: WithoutAwait(numbers), tallies: WithoutAwait(tallies))
      case .suspending:
        RivalUpdate.Views(numbers: numbers.async, tallies: tallies.async) {
          try await tallies.async.update(forKey: $0, $1)
        }
      case .inCaller: RivalUpdate.Views(numbers: numbers, tallies: tallies)
      }
    }
  }

  private static func open(_ kind: Chain, _ path: String) throws -> Storage<String, Int> {
    func disk(_ layout: DiskLayout = .automatic) throws -> DiskStorage<String> {
      try DiskStorage(config: DiskConfig(name: "numbers", directory: URL(filePath: path), layout: layout))
    }
    let memory = MemoryStorage<String, TypeWrapper>()
    return switch kind {
    case .disk: Storage(back: try disk(), transformer: .codable(Int.self))
    case .memoryAndDisk: Storage(front: memory, back: try disk(), transformer: .codable(Int.self))
    case .threeTiers:
      Storage(
        front: HybridStorage(front: memory, back: MemoryStorage<String, Data>()), back: try disk(),
        transformer: .codable(Int.self))
    case .compressed: Storage(front: memory, back: try disk(), transformer: .codable(Int.self).zlib())
    case .files: Storage(front: memory, back: try disk(.files), transformer: .codable(Int.self))
    }
  }
}
