import Foundation

/// The bytes that a request with a `Range` field asks for (RFC 9110, 14.1.2).
enum ByteRange: Equatable, Sendable {
  /// From one byte to another, that one included; to the end if there is no other.
  case from(Int, through: Int?)
  /// So many bytes at the end.
  case last(Int)

  /// `nil` for what is answered by the origin alone: several ranges, other units than bytes, and what is no range.
  init?(_ field: String) {
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let ends = parts[1].trimming(" \t").split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else {
      return nil
    }
    switch (first, last) {
    case (let first?, let last?) where first <= last: self = .from(first, through: last)
    case (let first?, nil): self = .from(first, through: nil)
    case (nil, let count?): self = .last(count)
    default: return nil
    }
  }

  /// The indices of the bytes, in a body of a size; `nil` if it has none of them.
  func bounds(in count: Int) -> Range<Int>? {
    switch self {
    case .from(let first, let last):
      guard first < count else { return nil }
      return first..<min(last.map { $0 + 1 } ?? count, count)
    case .last(let length):
      guard length > 0, count > 0 else { return nil }
      return max(0, count - length)..<count
    }
  }

  /// A number, or `nil` within for none; `nil` for what is no number, or one that no body is as long as.
  private static func number(_ text: Substring) -> Int?? {
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Int(text),
      number < Int.max
    else { return nil }
    return number
  }
}

extension StoredResponse {
  /// The part of the response that a range names, as a response of its own; `nil` if only the origin can tell.
  ///
  /// Ranges count the bytes that were sent. A body whose content coding has been undone has others.
  func part(_ range: ByteRange) -> StoredResponse? {
    guard status == 200, ["identity", nil].contains(fields["Content-Encoding"]?.lowercased()),
      fields["Content-Length"].map({ Int($0) == body.count }) ?? true,
      let bounds = range.bounds(in: body.count)
    else { return nil }
    var fields = fields
    fields["Content-Range"] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(body.count)"
    fields["Content-Length"] = String(bounds.count)
    let start = body.startIndex
    return StoredResponse(
      status: 206, fields: fields, body: body[start + bounds.lowerBound..<start + bounds.upperBound],
      requestTime: requestTime, responseTime: responseTime, selection: selection)
  }
}
