import StrataCore
package import StrataTestKit

/// The chains that the kit checks over each back: the links that a program puts before a store.
package enum ChainShape: String, CaseIterable, Sendable {
  /// One tier of bytes, typed.
  case typed
  /// The byte store itself, typed by `transform(to:)`, without a face.
  case transformed
  /// Memory before the back.
  case tiered
  /// Memory, a disk that belongs to the process, and the back.
  case threeTiers
  case encrypted, compressed
  /// A cache strategy over memory and the back.
  case delegated
  /// A loader behind memory and the back.
  case loading
  /// Memory and the back, with observers from the beginning.
  case observed
  /// Memory before the back, whose large values are in parts.
  case inParts

  /// Returns the chain over a back. With `isAwaited`, a chain that can be used without `await` is an `AsyncStorage`.
  package func subject(over back: ChainBack, isAwaited: Bool) -> ChainSubject {
    ChainSubject(
      "\(rawValue)\(isAwaited ? ", awaited," : "") over \(back.name)",
      expiryResolution: back.expiryResolution,
      except: { exception(self, $0) }
    ) { tiers in
      let store = try await back.open(tiers)
      let builder = try ChainBuilder(self, tiers, clock: store.clock, isAwaited: isAwaited)
      return try builder.build(tiers.back(store))
    }
  }

  /// Whether the chain has memory in front.
  var hasMemory: Bool { self != .typed && self != .transformed }
}
