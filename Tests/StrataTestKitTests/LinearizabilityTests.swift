import StrataTestKit
import TestSupport
import Testing

@Suite("The checker of histories", .endsInTime) struct LinearizabilityTests {
  private func event(_ action: HistoryEvent.Action, _ start: Int, _ end: Int) -> HistoryEvent {
    HistoryEvent(action, start: start, end: end, by: "test")
  }

  @Test("accepts histories that some order explains")
  func accepts() {
    #expect(isLinearizable([], from: nil))
    // Two concurrent writes, then a read of either.
    let writes = [event(.write(1), 0, 10), event(.write(2), 1, 11)]
    for value in [1, 2] { #expect(isLinearizable(writes + [event(.read(value), 12, 13)], from: nil)) }
    // A read concurrent with a write may return the old or the new value.
    for value in [nil, 1] {
      #expect(isLinearizable([event(.write(1), 0, 10), event(.read(value), 2, 3)], from: nil))
    }
    #expect(
      isLinearizable(
        [event(.update(saw: 1, wrote: 2), 0, 5), event(.update(saw: 2, wrote: 3), 1, 4)], from: 1))
    #expect(
      isLinearizable(
        [event(.remove, 0, 1), event(.update(saw: nil, wrote: 9), 2, 3), event(.read(nil), 4, 5)], from: 1))
  }

  @Test("rejects histories that no order explains")
  func rejects() {
    let written = event(.write(1), 0, 1)
    #expect(!isLinearizable([written, event(.read(nil), 2, 3)], from: nil), "a stale reading")
    #expect(!isLinearizable([written, event(.read(2), 2, 3)], from: nil), "a value nobody wrote")
    #expect(
      !isLinearizable([written, event(.remove, 2, 3), event(.read(1), 4, 5)], from: nil),
      "a value that came back")
    let lost = [event(.update(saw: 1, wrote: 2), 0, 9), event(.update(saw: 1, wrote: 3), 1, 8)]
    #expect(!isLinearizable(lost, from: 1), "a lost update")
    // The new value, then the old one: each is possible during the write, but not in this order.
    let back = [event(.write(2), 0, 9), event(.read(2), 1, 2), event(.read(1), 3, 4)]
    #expect(!isLinearizable(back, from: 1))
  }
}
