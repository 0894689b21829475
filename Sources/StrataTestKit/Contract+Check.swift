public import Testing

extension Contract {
  /// Checks the promise in a test. Records an issue if the promise is broken; cancels the test case if the store does
  /// not make it.
  ///
  /// Checks that need a second process start the test program again, for this one test. The test's code before this
  /// call then runs in the second process too.
  public func check(_ subject: Subject, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    switch try await verdict(on: subject) {
    case .kept: break
    case .broken(let broken): Issue.record("\(subject.name): \(broken)", sourceLocation: sourceLocation)
    case .notPromised:
      // Swift Testing shows cancelled tests, but not the cancelled cases of a test.
      print("⊘ \(subject.name) does not promise \(self): skipped.")
      try Test.cancel("\(subject.name) does not promise it", sourceLocation: sourceLocation)
    }
  }

  /// Checks the promise and returns the result. Throws if it cannot be checked here.
  ///
  /// Call it in a test: a second process is started by the name of the running test.
  public func verdict(on subject: Subject) async throws -> Verdict {
    if let assignment = Assignment.current {
      // `bothWorlds` checks other promises again, whose second processes are started for its own test case.
      if let promise = Contract(rawValue: assignment.check), assignment.subject == subject.name,
        promise == self || self == .bothWorlds && Trial.ofBothWorlds.contains(promise)
      {
        await assignment.run { parent in
          try await Trial(of: promise, on: subject, in: assignment.folder).runChild(
            seed: assignment.seed, parent)
        }
      }
      // This process was started for another check, which is executed when the test reaches it.
      return .kept
    }
    if subject.except.contains(self) { return .notPromised }
    let trial = try Trial(of: self, on: subject)
    do {
      defer { trial.cleanUp() }
      try await within(subject.timeLimit) { try await trial.run() }
      return .kept
    } catch let broken as BrokenPromise {
      return .broken(broken)
    } catch let broken as BrokenByChild {
      return .broken(BrokenPromise(promise: self, explanation: broken.explanation))
    } catch is NotPromised {
      return .notPromised
    } catch let failure as CannotCheck {
      throw failure
    } catch is TimeLimitExceeded {
      let explanation =
        "its check has not ended after \(subject.timeLimit) s: a call waits for ever, or each takes long"
      return .broken(BrokenPromise(promise: self, explanation: explanation))
    } catch {
      let call = try await failingCall(of: subject, error).map { ", from \($0)" } ?? ""
      return .broken(BrokenPromise(promise: self, explanation: "it threw \(error)\(call)"))
    }
  }
}
