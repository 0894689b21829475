#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Rewrites an item with definite lengths, and with sorted keys for a deterministic encoding.
///
/// The input must have been checked. Recursion ends at the depth that the check allows.
struct CBORRewriter: ~Copyable {
  private let base: UnsafePointer<UInt8>
  private let isSorting: Bool
  private var at = 0
  private(set) var output: CBORBuffer

  init(_ input: CBORBytes, isSorting: Bool) {
    base = input.base
    self.isSorting = isSorting
    output = CBORBuffer(capacity: max(16, input.count))
  }

  /// Writes the next item.
  mutating func item() {
    let head = CBORHead(at: base + at)
    if head.info == 31 { return indefinite(head.major) }
    let start = at
    at += head.size
    switch head.major {
    case MajorType.bytes, MajorType.text:
      at += Int(head.number)
      output.append(UnsafeRawBufferPointer(start: base + start, count: at - start))
    case MajorType.array:
      output.appendHead(MajorType.array, head.number)
      for _ in 0..<head.number { item() }
    case MajorType.map: pairs(Int(head.number))
    case MajorType.tag:
      output.appendHead(MajorType.tag, head.number)
      item()
    default: output.append(UnsafeRawBufferPointer(start: base + start, count: head.size))
    }
  }

  private var isAtStop: Bool { base[at] == SimpleByte.end }

  private mutating func indefinite(_ major: UInt8) {
    at += 1
    switch major {
    case MajorType.bytes, MajorType.text: string(major)
    case MajorType.array:
      let start = output.count
      var count: UInt64 = 0
      while !isAtStop {
        item()
        count += 1
      }
      at += 1
      insertHead(MajorType.array, count, at: start)
    default:
      pairs(nil)
      at += 1
    }
  }

  /// Writes the pairs of a map: `count` of them, or all up to the stop byte.
  private mutating func pairs(_ count: Int?) {
    let start = output.count
    var pairs: [(key: Range<Int>, end: Int)] = []
    while count.map({ pairs.count < $0 }) ?? !isAtStop {
      let key = output.count
      item()
      let value = output.count
      item()
      pairs.append((key..<value, output.count))
    }
    if isSorting { sort(&pairs, from: start) }
    insertHead(MajorType.map, UInt64(pairs.count), at: start)
  }

  /// Orders pairs by the bytes of their keys, as section 4.2.1 of RFC 8949 requires.
  private mutating func sort(_ pairs: inout [(key: Range<Int>, end: Int)], from start: Int) {
    let base = output.base
    pairs.sort { one, other in
      let size = min(one.key.count, other.key.count)
      let order = memcmp(base + one.key.lowerBound, base + other.key.lowerBound, size)
      return order == 0 ? one.key.count < other.key.count : order < 0
    }
    let written = Array(UnsafeBufferPointer(start: base + start, count: output.count - start))
    output.truncate(to: start)
    written.withUnsafeBytes { bytes in
      for pair in pairs {
        output.append(UnsafeRawBufferPointer(rebasing: bytes[pair.key.lowerBound - start..<pair.end - start]))
      }
    }
  }

  private mutating func string(_ major: UInt8) {
    let start = output.count
    while !isAtStop {
      let head = CBORHead(at: base + at)
      output.append(UnsafeRawBufferPointer(start: base + at + head.size, count: Int(head.number)))
      at += head.size + Int(head.number)
    }
    at += 1
    insertHead(major, UInt64(output.count - start), at: start)
  }

  private mutating func insertHead(_ major: UInt8, _ number: UInt64, at start: Int) {
    output.insert(CBORHead.size(of: number), at: start)
    output.setHead(major, number, at: start)
  }
}
