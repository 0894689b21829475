package import Foundation
package import StrataCore
package import StrataTestKit
import TestSupport
package import Testing

/// The store at the end of chains under test.
package struct ChainBack: Sendable {
  let name: String
  /// Whether its entries outlive the store, at a location that several processes share.
  let isShared: Bool
  let expiryResolution: Double
  let open: @Sendable (ChainTiers) async throws -> any StorageAware<String, Data>

  /// Describes a store. `open` opens it at the location of a check, without an expiry of its own.
  package init(
    _ name: String, isShared: Bool = true, expiryResolution: Double = 0,
    open: @escaping @Sendable (ChainTiers) async throws -> any StorageAware<String, Data>
  ) {
    self.name = name
    self.isShared = isShared
    self.expiryResolution = expiryResolution
    self.open = open
  }
}

/// A check of one chain.
package struct ChainCase: Sendable, CustomStringConvertible {
  let shape: ChainShape
  /// Whether a chain that can be used without `await` is used as `AsyncStorage`.
  let isAwaited: Bool
  let check: ChainCheck

  package var description: String { "\(shape)\(isAwaited ? " awaited" : "") \(check)" }

  /// The name of the case, for files.
  package var name: String { "\(shape)-\(isAwaited)-\(check.promise)-\(check.circumstance)" }

  /// The checks of all chains over a back: some of them, chosen by the seed, or in `make soak` all.
  ///
  /// A restart and a second process need a back that is shared.
  package static func sampled(isShared: Bool = true, number: Int) -> [ChainCase] {
    let checks = ChainCheck.allCases.filter {
      isShared || [.oneProcess, .failingTier].contains($0.circumstance)
    }
    let all = [false, true].flatMap { isAwaited in
      ChainShape.allCases.flatMap { shape in
        checks.map { ChainCase(shape: shape, isAwaited: isAwaited, check: $0) }
      }
    }
    return Soak.sample(all, oneIn: 59, number: number)
  }

  /// Checks the chain over a back.
  package func check(over back: ChainBack, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await check.check(shape.subject(over: back, isAwaited: isAwaited), sourceLocation: sourceLocation)
  }
}
