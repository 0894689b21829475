public import Testing

extension Contract {
  /// Checks the promise in a test: a broken one is an issue of the test, one that the store does not promise cancels
  /// the test case.
  ///
  /// Checks that need a second process start the program of the tests again, for this one test. There, too, the code of
  /// the test before this call is run.
  public func check(_ subject: Subject, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    switch try await verdict(on: subject) {
    case .kept: break
    case .broken(let broken): Issue.record("\(subject.name): \(broken)", sourceLocation: sourceLocation)
    case .notPromised:
      // Swift Testing shows cancelled tests, but not the cancelled cases of one.
      print("⊘ \(subject.name) does not promise \(self): skipped.")
      try Test.cancel("\(subject.name) does not promise it", sourceLocation: sourceLocation)
    }
  }

  /// Checks the promise, and says what came of it. Throws if it cannot be checked here.
  ///
  /// Call it in a test: checks that need a second process find their way back by its name.
  public func verdict(on subject: Subject) async throws -> Verdict {
    if let errand = Errand.current {
      if errand.promise == self && errand.subject == subject.name { await errand.run(on: subject) }
      // This process was started for another check.
      return .kept
    }
    if subject.except.contains(self) { return .notPromised }
    let trial = try Trial(of: self, on: subject)
    do {
      defer { trial.cleanUp() }
      try await trial.run()
      return .kept
    } catch let broken as BrokenPromise {
      return .broken(broken)
    } catch is NotPromised {
      return .notPromised
    } catch let failure as CannotCheck {
      throw failure
    } catch {
      return .broken(BrokenPromise(promise: self, explanation: "it threw \(error)"))
    }
  }
}
