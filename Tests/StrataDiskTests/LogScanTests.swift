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
    // At the end of the log, an incomplete record is a torn write.
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
    // The embedded record is valid only at the offset for which it was encoded.
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
    // The record after the batch shows that the batch was complete.
    #expect(LogScan.end(of: [single, first, .damage(80..<120), last, next], from: 0) == 200)
    #expect(
      LogScan.end(of: [single, .damage(40..<80), record(80, batchOffset: 0, continues: false)], from: 0)
        == 120)
  }

  /// The number of hashed bytes grows linearly with the size, not quadratically.
  @Test(arguments: [1 << 18, 1 << 20, 1 << 22])
  func damageBeforeACraftedValueTakesLinearTime(_ count: Int) {
    var value: [UInt8] = []
    while value.count < count {
      value.append(contentsOf: [0xD5, 0x52, 1, 1])
      value.append(littleEndian: UInt32(max(0, count - value.count - 60)))
      value.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, 0])
    }
    var bytes = RecordTests.encoded(key: "struck", value: value, seed: 56)
    bytes[8] ^= 1
    let last = 56 + bytes.count
    bytes += RecordTests.encoded(key: "next", value: [1], seed: UInt64(last))
    var items: [LogScan.Item] = []
    let hashed = bytes.withUnsafeBytes { LogScan.effort($0, from: 56, seed: 0) { items.append($0) } }
    #expect(items.map(\.range.lowerBound) == [56, last])
    #expect(offsets(items) == [last])
    #expect(hashed <= 32 * bytes.count + 2 << 20)
  }

  /// A record with a long key is found after damage, unless crafted bytes precede it.
  @Test func aLongKeyBehindDamageIsFound() {
    var bytes = segment(["a"])
    bytes[9] ^= 1
    bytes += RecordTests.encoded(
      key: String(repeating: "k", count: 100_000), value: [1], seed: UInt64(56 + bytes.count))
    #expect(offsets(walk(bytes)) == [96])
  }

  /// The unfinished write of a killed process is not reported as damage. Any other invalid bytes are.
  @Test func anUnfinishedWriteIsNoDamage() {
    func isUnfinished(_ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { LogScan.isUnfinishedWrite($0, from: 56, seed: 0) }
    }
    let record = RecordTests.encoded(key: "key", value: [UInt8](repeating: 1, count: 100), seed: 56)
    for count in 0..<record.count { #expect(isUnfinished(Array(record.prefix(count))), "\(count)") }
    #expect(!isUnfinished(record))
    for i in record.indices.dropFirst(36) where i < 139 {
      var bad = record
      bad[i] ^= 1
      #expect(!isUnfinished(bad), "\(i)")
    }
    var shortened = record
    shortened[20] ^= 0x80
    #expect(!isUnfinished(shortened))
    #expect(!isUnfinished([UInt8](repeating: 7, count: 200)))
  }
}
