public import Testing

/// One promise of a chain in one circumstance.
///
/// The author of a link, or of a backend, runs all of them against a chain, one test case each:
///
/// ```swift
/// func chain(
///   _ front: some SyncStorageAware<String, TypeWrapper>, _ back: some SyncStorageAware<String, Data>
/// ) -> TestedChain { TestedChain(Storage(front: front, back: back, transformer: .codable(ChainRecord.self))) }
///
/// @Test(arguments: ChainCheck.allCases)
/// func aChainKeeps(_ check: ChainCheck) async throws {
///   try await check.check(
///     ChainSubject("memory before MyStore") { tiers in
///       let front = tiers.front(MemoryStorage<String, TypeWrapper>())
///       let back = tiers.back(try MyStore(path: tiers.path))
///       return chain(front, back)
///     })
/// }
/// ```
public struct ChainCheck: Hashable, Codable, Sendable {
  /// The promise.
  public let promise: ChainPromise
  /// The circumstance in which it is checked.
  public let circumstance: Circumstance

  /// Each promise in each circumstance that may break it.
  public static let allCases = ChainPromise.allCases.flatMap { promise in
    promise.circumstances.map { ChainCheck(promise: promise, circumstance: $0) }
  }
}

extension ChainCheck: CustomStringConvertible {
  /// The names of the promise and of the circumstance, such as `atomicChanges/twoProcesses`.
  public var description: String { "\(promise)/\(circumstance)" }
}

extension ChainCheck {
  /// Checks the promise in a test. Records an issue if the chain breaks it, and cancels the test case if the subject
  /// excepts it or has no part that the check needs.
  ///
  /// As with `Contract.check`, a second process runs the test's code before this call, too.
  public func check(_ subject: ChainSubject, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    switch try await verdict(on: subject) {
    case .kept: break
    case .broken(let explanation):
      Issue.record(
        "\(subject.name): \(self) is broken (\(promise.sentence)): \(explanation)",
        sourceLocation: sourceLocation)
    case .notPromised(let reason):
      print("⊘ \(subject.name) is not checked for \(self): \(reason).")
      try Test.cancel("\(reason)", sourceLocation: sourceLocation)
    }
  }

  /// Checks the promise and returns the result. Throws if it cannot be checked here.
  ///
  /// Call it in a test: a second process is started by the name of the running test.
  public func verdict(on subject: ChainSubject) async throws -> ChainVerdict {
    if let assignment = Assignment.current {
      if assignment.check == description && assignment.subject == subject.name {
        await assignment.run { parent in
          try await ChainTrial(of: self, on: subject, in: assignment.folder, isSecond: true).obey(parent)
          return .done
        }
      }
      return .kept
    }
    if let reason = subject.except(self) { return .notPromised(reason) }
    let trial = try ChainTrial(of: self, on: subject)
    do {
      defer { trial.cleanUp() }
      try await within(subject.timeLimit) { try await trial.run() }
      return .kept
    } catch let broken as BrokenChain {
      return .broken(broken.explanation)
    } catch let broken as BrokenByChild {
      return .broken(broken.explanation)
    } catch let missing as NotInChain {
      return .notPromised(missing.reason)
    } catch let failure as CannotCheck {
      throw failure
    } catch is TimeLimitExceeded {
      return .broken("the check has not ended after \(subject.timeLimit) s")
    } catch {
      return .broken("it threw \(error)")
    }
  }
}

/// The result of checking a promise of a chain.
///
/// ```swift
/// @Sendable func typed(_ back: some SyncStorageAware<String, Data>) -> Storage<String, ChainRecord> {
///   Storage(back: back, transformer: .codable(ChainRecord.self))
/// }
/// let subject = ChainSubject("a disk") { tiers in
///   let back = tiers.back(disk)
///   return TestedChain(typed(back))
/// }
/// for check in ChainCheck.allCases {
///   if case .broken(let explanation) = try await check.verdict(on: subject) { print(check, explanation) }
/// }
/// ```
public enum ChainVerdict: Sendable {
  /// The chain keeps the promise.
  case kept
  /// The chain breaks the promise: the operation, the expected result and the actual one.
  case broken(String)
  /// Nothing was checked, for this reason.
  case notPromised(String)
}

/// Thrown by a check if the chain breaks the promise.
struct BrokenChain: Error { let explanation: String }

/// Thrown by a check if the chain has no part that the check needs.
struct NotInChain: Error { let reason: String }
