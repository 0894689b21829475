import Testing

/// Checks the checker: with valid histories, and with histories that each have one fault.
struct RegisterHistoryTests {
  private func history(_ body: (inout RegisterHistory) -> Void) -> RegisterHistory {
    var history = RegisterHistory()
    body(&history)
    return history
  }

  @Test func thoseThatAreWell() {
    #expect(RegisterHistory().flaw() == nil)
    let one = history {
      $0.read(0, from: 0, to: 1)
      $0.write(1, from: 2, to: 9, .acknowledged)
      $0.read(0, from: 3, to: 4)
      $0.read(1, from: 5, to: 6)
      $0.read(1, from: 10, to: 11)
      $0.write(2, from: 12, to: 13, .unknown)
      $0.read(1, from: 14, to: 15)
      $0.read(2, from: 16, to: 17)
      $0.write(3, from: 18, to: 19, .unsent)
      $0.read(2, from: 20, to: 21)
    }
    #expect(one.flaw() == nil)
    let concurrent = history {
      $0.write(1, from: 0, to: 10, .acknowledged)
      $0.write(2, from: 1, to: 9, .acknowledged)
      $0.read(2, from: 2, to: 3)
      $0.read(1, from: 11, to: 12)
    }
    #expect(concurrent.flaw() == nil)
  }

  @Test func aWriteThatWasLost() {
    let history = history {
      $0.write(1, from: 0, to: 1, .acknowledged)
      $0.read(0, from: 2, to: 3)
    }
    #expect(history.flaw() != nil)
  }

  @Test func aWriteThatWasUndone() {
    let history = history {
      $0.write(1, from: 0, to: 1, .acknowledged)
      $0.write(2, from: 2, to: 3, .acknowledged)
      $0.read(1, from: 4, to: 5)
    }
    #expect(history.flaw() != nil)
  }

  @Test func aWriteThatWasDoneTwice() {
    let history = history {
      $0.write(1, from: 0, to: 20, .acknowledged)
      $0.read(1, from: 1, to: 2)
      $0.write(2, from: 3, to: 4, .acknowledged)
      $0.read(2, from: 5, to: 6)
      $0.read(1, from: 7, to: 8)
    }
    #expect(history.flaw() != nil)
  }

  @Test func aFailedWriteThatCameLate() {
    let history = history {
      $0.write(1, from: 0, to: 1, .unknown)
      $0.write(2, from: 2, to: 3, .acknowledged)
      $0.read(1, from: 4, to: 5)
    }
    #expect(history.flaw()?.contains("gave it up") == true)
  }

  @Test func aReadOfTheFutureAndOneOfNothingKnown() {
    let early = history {
      $0.read(1, from: 0, to: 1)
      $0.write(1, from: 2, to: 3, .acknowledged)
    }
    #expect(early.flaw() != nil)
    #expect(history { $0.read(7, from: 0, to: 1) }.flaw() != nil)
    let unsent = history {
      $0.write(1, from: 0, to: 1, .unsent)
      $0.read(1, from: 2, to: 3)
    }
    #expect(unsent.flaw() != nil)
  }

  @Test func readsThatGoBack() {
    let history = history {
      $0.write(1, from: 0, to: 10, .acknowledged)
      $0.write(2, from: 1, to: 9, .acknowledged)
      $0.read(1, from: 2, to: 3)
      $0.read(2, from: 4, to: 5)
      $0.read(1, from: 6, to: 7)
    }
    #expect(history.flaw() != nil)
  }
}
