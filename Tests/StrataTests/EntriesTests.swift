import Foundation
import Strata
import TestSupport
import Testing

/// `setEntries` through a chain: each entry keeps its expiry, in all tiers.
@Suite struct EntriesTests {
  @Test func entriesKeepTheirExpiriesInAllTiers() throws {
    let back = DictionaryStorage<String, Data>()
    let memory = MemoryStorage<String, TypeWrapper>()
    let store = Storage(front: memory, back: back, transformer: .codable(Int.self))
    let dates = (1...3).map { Date(timeIntervalSince1970: 4_000_000_000 + Double($0)) }
    var entries = ["never": Entry(object: 0)]
    for (number, date) in dates.enumerated() {
      entries["\(number)"] = Entry(object: number, expiry: .date(date))
    }
    try store.setEntries(entries)
    for (key, entry) in entries {
      #expect(try store.object(forKey: key) == entry.object)
      #expect(try store.expiryIfPresent(forKey: key) == entry.expiry)
      #expect(memory.peek(forKey: key)?.expiry == entry.expiry)
      #expect(try back.expiryIfPresent(forKey: key) == entry.expiry)
    }
  }
}
