/// The directives of a `Cache-Control` field (RFC 9111, 5.2).
struct CacheControl: Equatable, Sendable {
  /// The arguments of each directive by lowercase name; `nil` for a directive without an argument.
  private var directives: [String: [String?]] = [:]

  init(_ field: String?) {
    for member in Self.members(of: field ?? "") {
      let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].trimming(" \t").lowercased()
      if name.isEmpty { continue }
      directives[name, default: []].append(parts.count == 2 ? parts[1].trimming(" \t\"") : nil)
    }
  }

  /// Whether a directive is present. A directive limited to some fields, `no-cache="Set-Cookie"`, counts for the whole
  /// response, which the RFC permits.
  func has(_ name: String) -> Bool { directives[name] != nil }

  /// Returns the seconds of a directive, or `nil` if it is absent. Of several values the smallest is used. A missing or
  /// invalid number is 0, which makes the response stale (RFC 9111, 4.2.1).
  func seconds(_ name: String) -> Double? { directives[name]?.map(Self.seconds).min() }

  /// The same as `seconds`, except that a directive without an argument, such as `max-stale`, is infinite.
  func secondsOrAny(_ name: String) -> Double? {
    directives[name]?.map { $0 == nil ? .infinity : Self.seconds($0) }.min()
  }

  /// Returns a number of seconds, at most 2^31 (RFC 9111, 1.2.2).
  static func seconds(_ text: String?) -> Double {
    guard let text, !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else {
      return 0
    }
    let most: Double = 2_147_483_648
    return UInt64(text).map { min(Double($0), most) } ?? most
  }

  /// Splits at commas that are not inside quotes.
  private static func members(of field: String) -> [String] {
    var members = [""]
    var (isQuoted, isEscaped) = (false, false)
    for character in field {
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        members.append("")
        continue
      }
      members[members.count - 1].append(character)
    }
    return members
  }
}
