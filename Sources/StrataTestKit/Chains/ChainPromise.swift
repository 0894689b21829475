/// The promises that a chain keeps over any store that keeps its contract: the lines of *Guarantees*.
///
/// A link may add a promise, and takes none away. ``ChainCheck`` is one promise in one circumstance.
///
/// ```swift
/// for promise in ChainPromise.allCases { print(promise, "-", promise.sentence) }
/// ```
public enum ChainPromise: String, CaseIterable, Codable, Sendable {
  /// `update`, `increment`, `compareAndSet` and `setIfAbsent` are atomic for all writers for which those of the back
  /// are. A chain has them if its back has them.
  case atomicChanges
  /// What a write or a removal has changed stays so, by whichever function, until the next change.
  case remembering
  /// A tier that fails throws. It never looks like a miss, and an old value is never read in place of a newer one.
  case failures
  /// A value that is copied to the front replaces no newer write and no removal. A front that refuses the copy does not
  /// fail the read.
  case promotion
  /// Each entry has the expiry with which it was stored, in every tier, and no value is returned after it.
  case expiry
  /// Every change reaches every observer once, and nothing else does.
  case observers
  /// `keys()` and pages list every stored key once, and throw if they cannot.
  case keys
  /// A view of another type throws `.typeNotMatch`, and changes nothing.
  case types
  /// A value that is written in parts is read whole, and the reverse. A reader or writer that fails leaves no part.
  case streams
}

extension ChainPromise: CustomStringConvertible {
  /// The name of the promise.
  public var description: String { rawValue }

  /// The promise in a sentence.
  public var sentence: String {
    switch self {
    case .atomicChanges: "atomic changes lose none of each other, and exist where the back has them"
    case .remembering: "what was written or removed stays so"
    case .failures: "a failing tier throws: it never looks like a miss, and leaves no old value"
    case .promotion: "a copy in the front replaces no newer write and no removal, and fails no read"
    case .expiry: "each entry keeps its expiry in every tier"
    case .observers: "every change reaches every observer once"
    case .keys: "every stored key is listed once"
    case .types: "a view of another type throws, and changes nothing"
    case .streams: "a value in parts is whole, or the operation throws"
    }
  }

  /// The circumstances that may break the promise.
  var circumstances: [Circumstance] {
    switch self {
    case .atomicChanges, .remembering, .promotion, .observers, .keys, .streams: Circumstance.allCases
    case .failures: [.failingTier]
    case .expiry: [.oneProcess, .twoProcesses, .restart]
    case .types: [.oneProcess, .restart]
    }
  }
}

/// The circumstances of a check of a chain.
///
/// ```swift
/// let withoutFiles = ChainCheck.allCases.filter { [.oneProcess, .failingTier].contains($0.circumstance) }
/// ```
public enum Circumstance: String, CaseIterable, Codable, Sendable {
  /// One process uses the chain.
  case oneProcess
  /// Two processes use chains over one back.
  case twoProcesses
  /// The chain is released and built again in the middle of the check.
  case restart
  /// One tier after the other fails.
  case failingTier
}

extension Circumstance: CustomStringConvertible {
  /// The name of the circumstance.
  public var description: String { rawValue }
}
