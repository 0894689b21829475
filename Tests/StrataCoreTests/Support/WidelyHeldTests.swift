import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder
@testable import StrataValues

@Suite("WidelyHeld: objects with many holders", .endsInTime)
struct WidelyHeldTests {
  @Test("an object without holders has no counters")
  func unheld() {
    let object = WidelyHeld()
    #expect(object.holders.load(ordering: .relaxed) == nil)
    object.hold(in: 3)
    #expect(object.holders.load(ordering: .relaxed) != nil)
    object.release(from: 3)
    #expect(Transformer.codable(Int.self).coding.holders.load(ordering: .relaxed) == nil)
  }

  @Test("an object lives until its last holder releases it, on any thread")
  func lifetime() {
    for _ in 0..<100 {
      weak var watched: WidelyHeld?
      let held: Unmanaged<WidelyHeld>
      do {
        let object = WidelyHeld()
        watched = object
        held = .passUnretained(object)
        // The first holders arrive concurrently, and allocate the counters.
        withExtendedLifetime(object) {
          DispatchQueue.concurrentPerform(iterations: 4) { object.hold(in: UInt8($0)) }
        }
      }
      #expect(watched != nil)
      DispatchQueue.concurrentPerform(iterations: 4) { part in
        held._withUnsafeGuaranteedRef { $0.release(from: UInt8(part)) }
      }
      #expect(watched == nil)
    }
  }
}
