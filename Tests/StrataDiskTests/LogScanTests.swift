import StrataCore
import Testing

@testable import StrataDisk

struct LogScanTests {
  private func segment(_ values: [String], start: Int = 56) -> [UInt8] {
    values.reduce(into: []) { bytes, value in
      bytes += RecordTests.encoded(key: "k", value: Array(value.utf8), seed: UInt64(start + bytes.count))
    }
  }

  private func walk(_ bytes: [UInt8], start: Int = 56) -> [LogScan.Item] {
    var items: [LogScan.Item] = []
    bytes.withUnsafeBytes { LogScan.walk($0, from: start, seed: 0) { items.append($0) } }
    return items
  }

  private func offsets(_ items: [LogScan.Item]) -> [Int] {
    items.compactMap { if case .record(_, let offset) = $0 { offset } else { nil } }
  }

  @Test func soundRecordsAreAllFound() {
    let bytes = segment(["a", "bb", "", String(repeating: "c", count: 1000)])
    #expect(offsets(walk(bytes)) == [56, 96, 136, 176])
    #expect(LogScan.end(of: walk(bytes), from: 56) == 56 + bytes.count)
  }

  @Test func damageInTheMiddleCostsOneRecord() {
    var bytes = segment(["a", "bb", "ccc"])
    for i in 40..<80 { bytes[i] = 0xFF }
    #expect(offsets(walk(bytes)) == [56, 136])
    #expect(walk(bytes)[1] == .damage(96..<136))
    #expect(LogScan.end(of: walk(bytes), from: 56) == 176)
  }

  @Test func aSpoiledValueIsKnownByItsHead() {
    var bytes = segment(["a", "bb", "ccc"])
    bytes[40 + 37] ^= 1
    let items = walk(bytes)
    #expect(items.count == 3)
    #expect(items[1].record?.valueLength == 2)
    if case .spoiled(_, let offset) = items[1] { #expect(offset == 96) } else { Issue.record("\(items[1])") }
    // At the very end it is the torn end of a write.
    var torn = segment(["a", "bb"])
    torn[40 + 37] ^= 1
    #expect(LogScan.end(of: walk(torn), from: 56) == 96)
  }

  @Test func aTornEndIsNotPartOfTheLog() {
    let bytes = segment(["a", "bb", "ccc"])
    for count in 81..<120 { #expect(LogScan.end(of: walk(Array(bytes.prefix(count))), from: 56) == 136) }
    #expect(LogScan.end(of: walk(bytes + [UInt8](repeating: 0, count: 5000)), from: 56) == 176)
  }

  @Test func aRecordInsideAValueIsNone() {
    // It would be sound at the offset at which it was made, and nowhere else.
    let inner = RecordTests.encoded(key: "k", value: [1], seed: 56)
    let outer = RecordTests.encoded(key: "k", value: inner, seed: 56)
    #expect(offsets(walk(outer)) == [56])
    var damaged = outer
    damaged[8] ^= 1
    #expect(offsets(walk(damaged)) == [])
  }

  private func record(_ offset: Int, batchOffset: Int, continues: Bool) -> LogScan.Item {
    var record = Record(kind: .value, keyLength: 0, valueLength: 4, expiry: .never)
    record.batchOffset = batchOffset
    record.batchContinues = continues
    return .record(record, offset: offset)
  }

  @Test func aBatchCountsWholeOrNotAtAll() {
    let single = record(0, batchOffset: 0, continues: false)
    let first = record(40, batchOffset: 0, continues: true)
    let second = record(80, batchOffset: 40, continues: true)
    let last = record(120, batchOffset: 80, continues: false)
    let next = record(160, batchOffset: 0, continues: false)
    #expect(LogScan.end(of: [single, first, second, last], from: 0) == 160)
    #expect(LogScan.end(of: [single, first, second], from: 0) == 40)
    #expect(LogScan.end(of: [single, first, .damage(80..<120), last], from: 0) == 40)
    #expect(LogScan.end(of: [single, .damage(40..<120), last], from: 0) == 40)
    // What was written behind the batch tells that the batch had been whole.
    #expect(LogScan.end(of: [single, first, .damage(80..<120), last, next], from: 0) == 200)
    #expect(
      LogScan.end(of: [single, .damage(40..<80), record(80, batchOffset: 0, continues: false)], from: 0)
        == 120)
  }
}
