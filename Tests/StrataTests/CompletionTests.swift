import Dispatch
import Foundation
import Strata
import TestSupport
import Testing

@Suite("Completions") struct CompletionTests {
  /// Each completion waits until all are called, so each needs a thread.
  @Test("completions may block their thread", arguments: [true, false])
  func block(isSync: Bool) async throws {
    let count = 40
    let back = DictionaryStorage<String, Data>()
    let storage =
      isSync
      ? Storage(back: back, transformer: .codable(Int.self)).async
      : AsyncStorage(back: SlowStorage(back), transformer: .codable(Int.self))
    let (called, allCalled) = (Shared(0), DispatchSemaphore(value: 0))
    let ended = Shared(0)
    for number in 0..<count {
      storage.setObject(number, forKey: "\(number)") { _ in
        if called.change({ called in
          called += 1
          return called == count
        }) {
          for _ in 0..<count { allCalled.signal() }
        }
        // A limit, so that a starving store does not hold up all other tests.
        if allCalled.wait(timeout: .now() + 20) == .success {
          ended.change { $0 += 1 }
        } else {
          ended.change { $0 -= 1000 }
        }
      }
    }
    await until { ended.value == count || ended.value < 0 }
    #expect(ended.value == count)
  }
}
