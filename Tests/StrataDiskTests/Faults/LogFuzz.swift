#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

#if !STRATA_FUZZER
  @testable import StrataDisk
#endif

/// The function that the fuzzer calls with its inputs (`make fuzz`), and the tests call with the seeds.
///
/// An input is read as a record, as the records of a segment, and as a segment in a folder, which is opened, read and
/// repaired. Its first byte selects the checksums that are corrected beforehand, since no mutation produces a valid
/// checksum.
enum LogFuzz {
  /// A violated invariant.
  struct Failure: Error {
    let reason: String
  }

  private static let secret = Secret(low: 1, high: 2)
  private static let seed: UInt64 = 42

  /// Throws a `Failure` if an invariant is violated. A trap counts as a failure too.
  static func run(_ input: [UInt8], in folder: URL) throws {
    guard let options = input.first else { return }
    var records = Array(input.dropFirst())
    if options & 1 != 0 { repairChecksums(&records) }
    try walk(records)
    if options & 2 != 0 { try open(records, options, in: folder) }
  }

  /// For any bytes, the items found are adjacent, and every record matches its checksum.
  private static func walk(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      _ = Record(bytes, seed: seed)
      _ = Record(head: bytes, seed: seed)
      _ = Record(fields: bytes)
      var position = SegmentHeader.size
      var items: [LogScan.Item] = []
      try LogScan.walk(bytes, from: SegmentHeader.size, seed: seed) { item in
        if item.range.lowerBound != position || item.range.isEmpty {
          throw Failure(reason: "a gap before \(item)")
        }
        position = item.range.upperBound
        items.append(item)
      }
      if position != SegmentHeader.size + bytes.count {
        throw Failure(reason: "the walk ended at \(position)")
      }
      let end = LogScan.end(of: items, from: SegmentHeader.size)
      if end > position { throw Failure(reason: "the log ends behind its bytes, at \(end)") }
    }
  }

  /// A store opens with any bytes, and the entries that it returns can be stored and read again.
  private static func open(_ records: [UInt8], _ options: UInt8, in folder: URL) throws {
    let path = folder.appending(path: "store").path
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    let place = EntryFolder(path: path)
    try place.make()
    let header = SegmentHeader(number: 1, secret: secret, seed: seed)
    let file = try File(place.path(of: EntryName.segment(1)), O_WRONLY | O_CREAT)
    try file.write(header.bytes + records, at: 0)
    let isLimited = options & 4 != 0
    let store = try DiskStorage<String>(
      config: DiskConfig(
        name: "store", maxSize: isLimited ? 20_000 : 0, directory: folder, onDamage: { _ in }))
    // Damaged entries are reported once, and then removed.
    _ = try entries(of: store)
    try store.repair()
    let repaired = try entries(of: store)
    try store.repair()
    if try entries(of: store) != repaired { throw Failure(reason: "repair() changed what is stored") }
    try store.setObject(Data([1, 2, 3]), forKey: "new", expiry: nil)
    if try store.object(forKey: "new") != Data([1, 2, 3]) {
      throw Failure(reason: "a written entry is not read")
    }
    let keys = try Set(store.keys())
    let again = try DiskStorage<String>(
      config: DiskConfig(name: "store", directory: folder, onDamage: { _ in }))
    if try Set(again.keys()) != keys { throw Failure(reason: "opened again, it lists other keys") }
  }

  private static func entries(of store: DiskStorage<String>) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for key in try store.keys() {
      do { found[key] = try store.entryIfPresent(forKey: key)?.object } catch let error as StorageError
        where error == .malformedFileAttributes
      {}
    }
    return found
  }

  /// Corrects the checksums of all bytes that may be records.
  private static func repairChecksums(_ bytes: inout [UInt8]) {
    var offset = 0
    while offset + Record.headerSize <= bytes.count {
      let rest = Array(bytes[offset...])
      guard let record = rest.withUnsafeBytes({ Record(fields: $0) }), record.length <= rest.count,
        record.batchOffset <= offset
      else {
        offset += 8
        continue
      }
      let start = SegmentHeader.size + offset
      bytes.withUnsafeMutableBytes { target in
        rest.withUnsafeBytes { rest in
          record.encode(
            into: target.part(offset..<offset + record.length), key: rest.part(record.keyRange),
            value: rest.part(record.valueRange), seed: seed &+ UInt64(start))
        }
      }
      offset += record.length
    }
  }
}

extension LogFuzz {
  /// The inputs from which the fuzzer derives others: logs of all kinds, valid and damaged.
  static var seeds: [[UInt8]] {
    let one = [("k", Record.Kind.value, "v")]
    let many = (0..<20).map { ("key \($0 % 7)", Record.Kind.value, String(repeating: "x", count: 17 * $0)) }
    let mixed =
      many + [("key 1", .removal, ""), ("key 2", .file, "0123456789abcdef"), ("", .void, "nothing")]
    let contents = [("", Record.Kind.contents, String(repeating: "c", count: 88))]
    var seeds: [[UInt8]] = [[], [3], [2] + [UInt8](repeating: 0, count: 100)]
    for records in [one, many, mixed, one + contents, mixed + contents + one] {
      let bytes = encoded(records, isBatch: false)
      seeds += [[3] + bytes, [7] + bytes, [2] + bytes.dropLast(5), [3] + encoded(records, isBatch: true)]
      // Damage in the middle, which a scan has to skip.
      var bad = bytes
      for i in bad.indices.dropFirst(bad.count / 2).prefix(20) { bad[i] ^= 0x55 }
      seeds.append([2] + bad)
    }
    return seeds
  }

  private static func encoded(_ records: [(key: String, Record.Kind, value: String)], isBatch: Bool)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    for (i, (key, kind, value)) in records.enumerated() {
      var record = Record(
        kind: kind, keyLength: key.utf8.count, valueLength: value.utf8.count,
        expiry: i % 5 == 3 ? .date(Date(timeIntervalSinceReferenceDate: 1e9)) : .never)
      if isBatch {
        record.batchOffset = bytes.count
        record.batchContinues = i < records.count - 1
      }
      let start = SegmentHeader.size + bytes.count
      bytes += [UInt8](unsafeUninitializedCapacity: record.length) { buffer, count in
        Array(key.utf8).withUnsafeBytes { key in
          Array(value.utf8).withUnsafeBytes { value in
            record.encode(
              into: UnsafeMutableRawBufferPointer(buffer), key: key, value: value, seed: seed &+ UInt64(start)
            )
          }
        }
        count = record.length
      }
    }
    return bytes
  }
}

#if STRATA_FUZZER
  enum Fuzzed {
    private static let place = Result {
      let place = FileManager.default.temporaryDirectory.appending(
        path: "strata-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      return place
    }

    static func run(_ input: [UInt8]) throws { try LogFuzz.run(input, in: place.get()) }
    static var seeds: [[UInt8]] { LogFuzz.seeds }
  }
#endif
