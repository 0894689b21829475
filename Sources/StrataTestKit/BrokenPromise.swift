/// A promise that a store broke, with an explanation.
///
/// ```swift
/// do {
///   try await Contract.expiry.check(subject)
/// } catch let broken as BrokenPromise {
///   print(broken.explanation)
/// }
/// ```
public struct BrokenPromise: Error, Equatable, CustomStringConvertible {
  /// The promise.
  public let promise: Contract
  /// The operation, the expected result and the actual one.
  public let explanation: String

  /// The name of the promise, its sentence, and the explanation.
  public var description: String { "\(promise) is broken (\(promise.sentence)): \(explanation)" }
}

/// The result of checking a promise.
///
/// ```swift
/// for promise in Contract.allCases {
///   if case .broken(let broken) = try await promise.verdict(on: subject) { print(broken) }
/// }
/// ```
public enum Verdict: Sendable {
  /// The store keeps the promise.
  case kept
  /// The store breaks the promise.
  case broken(BrokenPromise)
  /// The store does not make the promise, so nothing was checked.
  case notPromised
}

/// Thrown if a store lacks the capability that a check needs.
struct NotPromised: Error {}

/// The reason, outside the store, why a promise could not be checked.
struct CannotCheck: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
