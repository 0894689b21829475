/// A promise that a store broke, and how.
public struct BrokenPromise: Error, Equatable, CustomStringConvertible {
  /// The promise.
  public let promise: Contract
  /// What was done, what was expected and what was found.
  public let explanation: String

  /// The name of the promise, its sentence, and how it was broken.
  public var description: String { "\(promise) is broken (\(promise.sentence)): \(explanation)" }
}

/// What came of the check of a promise.
public enum Verdict: Sendable {
  /// The store keeps it.
  case kept
  /// The store breaks it.
  case broken(BrokenPromise)
  /// The store does not promise it: nothing was checked.
  case notPromised
}

/// That a store does not have what is to be checked.
struct NotPromised: Error {}

/// Why something could not be checked; says nothing about the store.
struct CannotCheck: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
