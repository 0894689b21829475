import Testing

/// Checks the checker: with valid histories, and with histories that each have one fault.
struct RegisterHistoryTests {
  private func history(_ body: (inout RegisterHistory) -> Void) -> RegisterHistory {
    var history = RegisterHistory()
    body(&history)
    return history
  }

  @Test func validHistoriesPass() {
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

  @Test func aLostWriteIsFound() {
    let history = history {
      $0.write(1, from: 0, to: 1, .acknowledged)
      $0.read(0, from: 2, to: 3)
    }
    #expect(history.flaw() != nil)
  }

  @Test func anUndoneWriteIsFound() {
    let history = history {
      $0.write(1, from: 0, to: 1, .acknowledged)
      $0.write(2, from: 2, to: 3, .acknowledged)
      $0.read(1, from: 4, to: 5)
    }
    #expect(history.flaw() != nil)
  }

  @Test func aRepeatedWriteIsFound() {
    let history = history {
      $0.write(1, from: 0, to: 20, .acknowledged)
      $0.read(1, from: 1, to: 2)
      $0.write(2, from: 3, to: 4, .acknowledged)
      $0.read(2, from: 5, to: 6)
      $0.read(1, from: 7, to: 8)
    }
    #expect(history.flaw() != nil)
  }

  @Test func aLateFailedWriteIsFound() {
    let history = history {
      $0.write(1, from: 0, to: 1, .unknown)
      $0.write(2, from: 2, to: 3, .acknowledged)
      $0.read(1, from: 4, to: 5)
    }
    #expect(history.flaw() != nil)
  }

  @Test func readsOfValuesNotYetOrNeverWrittenAreFound() {
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

  @Test func readsThatReturnToAnOldValueAreFound() {
    let history = history {
      $0.write(1, from: 0, to: 10, .acknowledged)
      $0.write(2, from: 1, to: 9, .acknowledged)
      $0.read(1, from: 2, to: 3)
      $0.read(2, from: 4, to: 5)
      $0.read(1, from: 6, to: 7)
    }
    #expect(history.flaw() != nil)
  }

  @Test func removalsCountersAndConditionalWritesPass() {
    let whole = history {
      $0.add(.writeIfAbsent(1, isStored: true), from: 0, to: 1, .acknowledged)
      $0.add(.writeIfAbsent(2, isStored: false), from: 2, to: 3, .acknowledged)
      $0.add(.add(5, sum: 6), from: 4, to: 5, .acknowledged)
      $0.add(.change(1, result: 7), from: 6, to: 7, .acknowledged)
      $0.add(.remove, from: 8, to: 9, .acknowledged)
      $0.add(.change(1, result: 0), from: 10, to: 11, .acknowledged)
      $0.add(.add(3, sum: nil), from: 12, to: 20, .unknown)
      $0.add(.remove, from: 13, to: 19, .unknown)
      $0.add(.writeIfAbsent(9, isStored: nil), from: 14, to: 18, .unknown)
      $0.read(9, from: 21, to: 22)
      $0.read(12, from: 23, to: 24)
      $0.add(.add(1, sum: 1), from: 25, to: 26, .acknowledged)
    }
    #expect(whole.flaw() == nil)
  }

  @Test(
    arguments: [
      // A removal that was undone, an addition that was lost or made twice, two that both found nothing.
      [.write(1), .remove, .read(1)], [.add(1, sum: 1), .add(1, sum: 1)], [.add(1, sum: 1), .read(2)],
      [.writeIfAbsent(1, isStored: true), .writeIfAbsent(2, isStored: true)],
      [.write(1), .writeIfAbsent(2, isStored: true)], [.writeIfAbsent(2, isStored: false)],
      [.write(1), .change(1, result: 0)], [.write(1), .change(1, result: 2), .read(1)], [.remove, .read(1)],
    ] as [[RegisterHistory.Action]])
  func impossibleSequencesAreFound(_ actions: [RegisterHistory.Action]) {
    let history = history {
      for (index, action) in actions.enumerated() {
        $0.add(action, from: 2 * index, to: 2 * index + 1, .acknowledged)
      }
    }
    #expect(history.flaw() != nil)
  }

  @Test func aLateFailedRemovalIsFound() {
    let late = history {
      $0.add(.remove, from: 0, to: 1, .unknown)
      $0.write(1, from: 2, to: 3, .acknowledged)
      $0.read(0, from: 4, to: 5)
    }
    #expect(late.flaw() != nil)
    let inTime = history {
      $0.write(1, from: 0, to: 1, .acknowledged)
      $0.add(.remove, from: 2, to: 3, .unknown)
      $0.read(1, from: 4, to: 5)
      $0.read(0, from: 6, to: 7)
    }
    #expect(inTime.flaw() == nil)
  }

  /// A late update may follow a conditional write that stored nothing, but no other write.
  @Test(arguments: [true, false]) func aLateUpdateFollowsOnlyARefusedWrite(_ isRefused: Bool) {
    let history = history {
      $0.write(5, from: 0, to: 1, .acknowledged)
      $0.add(.change(1, result: nil), from: 2, to: 3, .unknown)
      if isRefused {
        $0.add(.writeIfAbsent(9, isStored: false), from: 4, to: 5, .acknowledged)
      } else {
        $0.write(5, from: 4, to: 5, .acknowledged)
      }
      $0.read(5, from: 6, to: 7)
      $0.add(.add(1, sum: 7), from: 8, to: 9, .acknowledged)
    }
    #expect((history.flaw() == nil) == isRefused)
    let late = self.history {
      $0.write(1, from: 0, to: 1, .acknowledged)
      $0.write(2, from: 2, to: 3, .unknown)
      $0.add(.writeIfAbsent(9, isStored: false), from: 4, to: 5, .acknowledged)
      $0.read(1, from: 6, to: 7)
      $0.read(2, from: 8, to: 9)
    }
    #expect(late.flaw() != nil)
  }

  @Test func manyOperationsOfUnknownOutcomeAreChecked() {
    let history = history {
      for value in 1...50 { $0.write(value, from: value, to: 60 + value, .unknown) }
      for value in 1...4 { $0.add(.add(1, sum: nil), from: 50 + value, to: 110 + value, .unknown) }
      $0.read(7, from: 200, to: 201)
      $0.read(9, from: 202, to: 203)
      $0.read(50, from: 204, to: 205)
      $0.read(53, from: 206, to: 207)
    }
    #expect(history.flaw() == nil)
    let wrong = self.history {
      for value in 1...50 { $0.write(value, from: value, to: 60 + value, .unknown) }
      $0.read(51, from: 200, to: 201)
    }
    #expect(wrong.flaw() != nil)
  }
}
