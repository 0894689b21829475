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
import Testing

@testable import StrataDisk

/// A kind of damage to one segment of a log.
enum Harm: CaseIterable {
  /// One byte of the key of a record in the middle.
  case key
  /// One byte of the key of a removal.
  case removal
  /// One byte of a value.
  case value
  /// One byte of the table of contents, or of the last record.
  case table
  /// Bytes behind the end: as many as could be a record, and fewer.
  case appended, appendedFew
  /// The end is missing, from between two records or from the middle of a record on.
  case cut, cutShort, cutInside
  /// One byte of the header, after which the file is no segment.
  case header
  case deleted

  func strike(_ segment: URL) throws {
    if self == .deleted { return try FileManager.default.removeItem(at: segment) }
    var data = Array(try Data(contentsOf: segment))
    let header = try data.withUnsafeBytes { try SegmentHeader($0) }
    var records: [(kind: Record.Kind, range: Range<Int>)] = []
    data.withUnsafeBytes { data in
      LogScan.walk(data.part(SegmentHeader.size...), from: SegmentHeader.size, seed: header.seed) {
        if let record = $0.record { records.append((record.kind, $0.range)) }
      }
    }
    let entries = records.filter { $0.kind == .value || $0.kind == .removal }
    let values = records.filter { $0.kind == .value }
    guard let last = records.last, let entry = entries.last, let value = values.last else { return }
    switch self {
    case .key: data[values[values.count / 2].range.lowerBound + Record.headerSize] ^= 1
    case .removal:
      let removal = entries.first { $0.kind == .removal } ?? entry
      data[removal.range.lowerBound + Record.headerSize] ^= 1
    case .value: data[values[values.count / 2].range.lowerBound + 300] ^= 1
    case .table: data[(last.kind == .contents ? last : value).range.lowerBound + 200] ^= 1
    case .appended: data += bytes(1000, seed: 1)
    case .appendedFew: data += bytes(13, seed: 1)
    case .cut: data.removeSubrange(entries[entries.count * 3 / 4].range.lowerBound...)
    case .cutShort: data.removeSubrange(entries[entries.count / 4].range.lowerBound...)
    case .cutInside: data.removeSubrange((values[values.count * 3 / 4].range.lowerBound + 100)...)
    case .header: data[8] ^= 1
    case .deleted: break
    }
    // In place, so that a store with the open file sees it.
    let file = try File(segment.path, O_RDWR)
    try file.write(data, at: 0)
    try file.truncate(to: data.count)
  }
}

/// Damage to one segment, or to two.
struct Harms: Sendable, CustomTestStringConvertible {
  enum Place: Int, CaseIterable { case first, middle, beforeLast, last }

  let strikes: [(harm: Harm, place: Place)]
  /// Whether a store is open meanwhile, whose index contains every key.
  let isOpen: Bool
  /// Whether the damaged folder is then replaced by a copy.
  let isCopied: Bool
  /// Whether full segments are long enough for tables of contents.
  let hasTables: Bool

  var testDescription: String {
    let what = strikes.map { "\($0.harm) of the \($0.place) segment" }.joined(separator: ", ")
    return
      "\(what); \(isOpen ? "open" : isCopied ? "copied" : "closed"), \(hasTables ? "with" : "without") tables"
  }

  /// Every kind of damage to every segment, alone and with every other one in another segment.
  static let all: [Harms] = {
    var all: [Harms] = []
    func add(_ strikes: [(Harm, Place)]) {
      for (isOpen, isCopied) in [(false, false), (true, false), (false, true)] {
        for hasTables in [false, true] {
          all.append(Harms(strikes: strikes, isOpen: isOpen, isCopied: isCopied, hasTables: hasTables))
        }
      }
    }
    for harm in Harm.allCases {
      for place in Place.allCases {
        add([(harm, place)])
        for other in Place.allCases where other.rawValue > place.rawValue {
          for second in Harm.allCases { add([(harm, place), (second, other)]) }
        }
      }
    }
    return all
  }()

  /// Damages a log of at least four segments.
  func strike(_ segments: [URL]) throws {
    let places = [0, segments.count / 2, segments.count - 2, segments.count - 1]
    for strike in strikes { try strike.harm.strike(segments[places[strike.place.rawValue]]) }
  }
}
