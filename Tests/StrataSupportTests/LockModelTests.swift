import StrataSupport
import TestSupport
import Testing

/// The lock's rules under every order of a few threads' steps, and faulty rules that the model must reject.
@Suite struct LockModelTests {
  @Test(
    "one thread holds the lock, no thread sleeps for ever, and what is owed is given to no other",
    arguments: [(2, 4, 1), (2, 4, 2), (3, 2, 1), (3, 2, 2)]
      + (Soak.isOn ? [(3, 3, 2), (4, 2, 1)] : []))
  func keepsItsRules(threads: Int, rounds: Int, patience: Int) throws {
    let states = try LockModel(threads: threads, rounds: rounds, patience: patience).explore().get()
    // That the model has gone anywhere.
    #expect(states > 500)
  }

  @Test("a release that wakes nobody leaves a thread asleep")
  func wakesNobody() {
    var model = LockModel()
    model.released = { (word: $0.released.word, wakes: nil) }
    #expect(throws: LockFault.sleepsForever) { try model.explore().get() }
  }

  @Test("a woken thread that forgets the other sleepers leaves one asleep")
  func forgetsSleepers() {
    var model = LockModel()
    model.taken = { word, waiter in
      word.taken(by: waiter).map { word.bits & 2 == 0 ? LockWord(bits: $0.bits & ~2) : $0 }
    }
    #expect(throws: LockFault.sleepsForever) { try model.explore().get() }
  }

  @Test("a thread that becomes owed the lock and forgets the other sleepers leaves one asleep")
  func forgetsSleepersWhenOwed() {
    var model = LockModel()
    model.awaited = { word, waiter in
      let next = word.awaited(by: waiter)
      return next.isOwed && !word.isOwed ? LockWord(bits: next.bits & ~2 | word.bits & 2) : next
    }
    model.taken = { word, waiter in
      let next = word.taken(by: waiter)
      return waiter.isOwed ? next.map { LockWord(bits: $0.bits & ~2 | word.bits & 2) } : next
    }
    #expect(throws: LockFault.sleepsForever) { try model.explore().get() }
  }

  @Test("a thread that is owed the lock and does not say when it has it blocks all others")
  func staysOwed() {
    var model = LockModel()
    model.taken = { word, waiter in
      word.taken(by: waiter).map { LockWord(bits: waiter.isOwed ? $0.bits + 4 : $0.bits) }
    }
    #expect(throws: LockFault.self) { try model.explore().get() }
  }

  @Test("a lock that is owed to one thread and taken by another is noticed")
  func takesWhatIsOwed() {
    var model = LockModel()
    model.taken = { word, waiter in
      word.isHeld ? nil : LockWord(bits: (word.bits | 3) - (waiter.isOwed ? 4 : 0))
    }
    #expect(throws: LockFault.wasOwedToAnother) { try model.explore().get() }
  }

  @Test("a lock that two threads can take is noticed")
  func takesWhatIsHeld() {
    var model = LockModel()
    model.taken = { word, _ in LockWord(bits: word.bits | 1) }
    #expect(throws: LockFault.isHeldTwice) { try model.explore().get() }
  }
}
