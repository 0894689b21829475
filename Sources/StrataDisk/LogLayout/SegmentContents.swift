/// The table of contents at the end of a full segment, which saves reading all its records when the folder is opened.
///
/// It is the value of a record of the kind `.contents`:
///
/// | bytes  | contents                                                                        |
/// |--------|---------------------------------------------------------------------------------|
/// | 24·n   | for each live record or removal when the segment was full: hash 8, location 8, tag 4 and deadline 4 bytes, as in the index |
/// | 8      | the offset of this record                                                       |
/// | 8      | magic: "StrTable"                                                               |
///
/// The last 16 bytes of a segment locate its table, and the record's checksum says whether to trust it.
enum SegmentContents {
  private static let magic: UInt64 = 0x656C_6261_5472_7453
  /// A smaller segment has no table: reading the segment costs less than the table's space.
  static let minimumSegment = 1 << 16

  /// Returns the record with the table, for writing at an offset.
  static func encoded(_ slots: [IndexSlot], at offset: Int, seed: UInt64) -> [UInt8] {
    let size = slots.count * IndexSlot.size + 16
    // The padding zeros come before the table, so that the table's last bytes are the segment's.
    let padding = Record.length(Record.headerSize + size) - Record.headerSize - size
    let value = [UInt8](unsafeUninitializedCapacity: padding + size) { buffer, count in
      let value = UnsafeMutableRawBufferPointer(buffer)
      value.part(0..<padding).initializeMemory(as: UInt8.self, repeating: 0)
      var end = padding
      for slot in slots {
        value.put(slot.hash, at: end)
        value.put(slot.location.bits, at: end + 8)
        value.put(slot.tag, at: end + 16)
        value.put(slot.deadline, at: end + 20)
        end += IndexSlot.size
      }
      value.put(UInt64(offset), at: end)
      value.put(magic, at: end + 8)
      count = padding + size
    }
    let record = Record(kind: .contents, keyLength: 0, valueLength: value.count, expiry: .never)
    return [UInt8](unsafeUninitializedCapacity: record.length) { buffer, count in
      value.withUnsafeBytes {
        record.encode(
          into: UnsafeMutableRawBufferPointer(buffer), key: .init(start: nil, count: 0), value: $0,
          seed: seed &+ UInt64(offset))
      }
      count = record.length
    }
  }

  /// Returns the slots of a segment's table; `nil` if it has no sound one.
  static func read(from segment: Segment, length: Int) throws(SystemError) -> [IndexSlot]? {
    var buffer = ReadBuffer()
    guard let value = try value(of: segment, length: length, &buffer) else { return nil }
    return slots(value)
  }

  /// Calls `body` with the slots of a segment's table; returns `false` if it has no sound one.
  @inline(__always)
  static func forEach(
    in segment: Segment, length: Int, _ buffer: inout ReadBuffer, _ body: (IndexSlot) -> Void
  ) throws(SystemError) -> Bool {
    guard let value = try value(of: segment, length: length, &buffer) else { return false }
    forEach(in: value, body)
    return true
  }

  /// Returns the number of slots in a segment's table, according to its last bytes. The table itself may be damaged.
  static func count(in segment: Segment, length: Int) throws(SystemError) -> Int {
    try offset(in: segment, length: length).map { (length - $0) / IndexSlot.size } ?? 0
  }

  /// Returns where the record with a segment's table begins, according to the segment's last bytes; `nil` if these are
  /// not the end of a table.
  private static func offset(in segment: Segment, length: Int) throws(SystemError) -> Int? {
    guard length >= SegmentHeader.size + Record.headerSize + 16 else { return nil }
    let end = try segment.bytes(length - 16..<length)
    guard end.count == 16, end.withUnsafeBytes({ $0.number(at: 8) }) == magic,
      let offset = Int(exactly: end.withUnsafeBytes { $0.number(at: 0) as UInt64 }),
      offset >= SegmentHeader.size, offset <= length - Record.headerSize - 16
    else { return nil }
    return offset
  }

  /// Returns the value of the record with a segment's table, in the buffer; `nil` if there is no sound one.
  private static func value(
    of segment: Segment, length: Int, _ buffer: inout ReadBuffer
  ) throws(SystemError) -> UnsafeRawBufferPointer? {
    guard let offset = try offset(in: segment, length: length) else { return nil }
    let target = buffer.bytes(length - offset)
    let bytes = UnsafeRawBufferPointer(target).part(0..<(try segment.file.read(into: target, at: offset)))
    guard let record = Record(bytes, seed: segment.seed(at: offset)), record.kind == .contents,
      record.length == bytes.count, record.valueLength >= 16
    else { return nil }
    return bytes.part(record.valueRange)
  }

  /// Returns the slots of a table, from the value of its record. Slots of records that a scan of the segment has not
  /// found become removals, so that no older value of their keys comes back.
  static func slots(_ value: UnsafeRawBufferPointer, found: [IndexSlot]) -> [IndexSlot] {
    let places = Set(found.map(\.asRemoval.location.bits))
    return slots(value).map { places.contains($0.asRemoval.location.bits) ? $0 : $0.asRemoval }
  }

  /// Returns the slots of a table, from the value of its record.
  static func slots(_ value: UnsafeRawBufferPointer) -> [IndexSlot] {
    var slots: [IndexSlot] = []
    slots.reserveCapacity(value.count / IndexSlot.size)
    forEach(in: value) { slots.append($0) }
    return slots
  }

  /// Calls `body` with the slots of a table, from the value of its record.
  @inline(__always)
  private static func forEach(in value: UnsafeRawBufferPointer, _ body: (IndexSlot) -> Void) {
    let end = value.count - 16
    var offset = end % IndexSlot.size
    while offset < end {
      body(
        IndexSlot(
          hash: value.number(at: offset), location: Location(bits: value.number(at: offset + 8)),
          tag: value.number(at: offset + 16), deadline: value.number(at: offset + 20)))
      offset += IndexSlot.size
    }
  }
}
