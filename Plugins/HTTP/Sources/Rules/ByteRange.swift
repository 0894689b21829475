import Foundation

/// The range of bytes that a `Range` field requests (RFC 9110, 14.1.2).
enum ByteRange: Equatable, Sendable {
  /// From the first byte to the last, both included; to the end of the body if `through` is `nil`.
  case from(Int, through: Int?)
  /// The last bytes of the body.
  case last(Int)

  /// Parses a field. Returns `nil` if only the origin can answer it: several ranges, other units, or an invalid range.
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

  /// Returns the indices of the bytes in a body of `count` bytes, or `nil` if the body has none of them.
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

  /// Parses a number. Returns `.some(nil)` for an empty text, and `nil` for an invalid number or one beyond the size of
  /// any body.
  private static func number(_ text: Substring) -> Int?? {
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Int(text),
      number < Int.max
    else { return nil }
    return number
  }
}

extension StoredResponse {
  /// Returns the requested part as a 206 response, or `nil` if only the origin can answer.
  func part(_ range: ByteRange) -> StoredResponse? {
    guard let (head, bounds) = partHead(range) else { return nil }
    var part = head
    part.body = body.dropFirst(bounds.lowerBound).prefix(bounds.count)
    return part
  }

  /// Returns a 206 response without its body, and the range of the body's bytes. Returns `nil` if only the origin can
  /// answer.
  ///
  /// Ranges refer to the bytes as sent. They do not apply to a body whose content coding has been decoded.
  func partHead(_ range: ByteRange) -> (StoredResponse, Range<Int>)? {
    guard status == 200, ["identity", nil].contains(fields["Content-Encoding"]?.lowercased()),
      fields["Content-Length"].map({ Int($0) == bodyCount }) ?? true,
      let bounds = range.bounds(in: bodyCount)
    else { return nil }
    var fields = fields
    fields["Content-Range"] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(bodyCount)"
    fields["Content-Length"] = String(bounds.count)
    let part = StoredResponse(
      status: 206, fields: fields, body: Data(), requestTime: requestTime, responseTime: responseTime,
      selection: selection)
    return (part, bounds)
  }
}
