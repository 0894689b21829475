import Dispatch
import Foundation
import Strata
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// In a chain of memory alone, a write over a value takes no turn. It must be ordered as if it did.
@Suite("Writes to memory alone") struct SoleTierTests {
  private let storage = Storage(
    TypeWrapperStorage(MemoryStorage<String, TypeWrapper>(), transformer: .codable(Int.self)))

  private final class Observer: Sendable {
    let last = Shared<Int?>(nil)
  }

  @Test("a write during an update of its key comes after it")
  func duringUpdate() throws {
    for _ in 0..<200 {
      try storage.setObject(1, forKey: "a")
      let inside = DispatchSemaphore(value: 0)
      let errors = Shared<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { [storage] thread in
        do {
          if thread == 0 {
            try storage.update(forKey: "a") { number in
              inside.signal()
              for _ in 0..<20 { sched_yield() }
              number += 1
            }
          } else if inside.wait(timeout: .now() + 60) == .success {
            try storage.setObject(10, forKey: "a")
          }
        } catch {
          errors.change { $0.append("\(error)") }
        }
      }
      #expect(errors.value == [])
      #expect(try storage.object(forKey: "a") == 10)
    }
  }

  @Test("a write inside an update of its key is refused, and one of another key is not")
  func insideUpdate() async throws {
    try blocking { for key in ["a", "b"] { try storage.setObject(1, forKey: key) } }
    let write: @Sendable (inout Int) throws -> Void = { [storage] number in
      try storage.setObject(5, forKey: "b")
      #expect(throws: StorageError.deadlock) { try storage.setObject(5, forKey: "a") }
      number += 1
    }
    let first = try blocking { try storage.update(forKey: "a", write) }
    #expect(first == 2)
    #expect(try await storage.async.update(forKey: "a", write) == 3)
    // A closure that is not Sendable runs outside of the turn.
    var runs = 0
    let last = try await storage.update(forKey: "a") { number in
      runs += 1
      try write(&number)
    }
    #expect(last == 4 && runs == 1)
  }

  @Test("no update is lost among writes of other keys, and no write among updates")
  func updates() throws {
    let keys = (0..<4).map { "\($0)" }
    for key in keys { try storage.setObject(0, forKey: key) }
    let errors = Shared<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { [storage] thread in
      do {
        // Each thread has a key that it alone writes; all threads update one.
        for number in 1...2_000 {
          try storage.update(forKey: "0") { $0 += 1 }
          guard thread > 0 else { continue }
          try storage.setObject(number, forKey: keys[thread])
          let read = try storage.object(forKey: keys[thread])
          if read != number { errors.change { $0.append("\(read) after \(number)") } }
        }
      } catch {
        errors.change { $0.append("\(error)") }
      }
    }
    #expect(errors.value == [])
    #expect(try storage.object(forKey: "0") == 8_000)
  }

  @Test("an observer that was added among writes has received the last value in the end")
  func observed() throws {
    for round in 0..<200 {
      try storage.setObject(-1, forKey: "a")
      let observer = Observer()
      let errors = Shared<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 3) { [storage] thread in
        do {
          if thread == 0 {
            storage.addObserver(observer, forKey: "a") { observer, _, change in
              if case .edit(_, let after) = change { observer.last.change { $0 = after } }
            }
          }
          for number in 0..<20 { try storage.setObject(round * 100 + thread * 30 + number, forKey: "a") }
        } catch {
          errors.change { $0.append("\(error)") }
        }
      }
      // A change that is recorded while another thread delivers is delivered by that thread.
      storage.removeAllKeyObservers()
      #expect(errors.value == [])
      #expect(try storage.object(forKey: "a") == observer.last.value)
    }
  }
}
