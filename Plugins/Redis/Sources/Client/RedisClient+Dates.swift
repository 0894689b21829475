#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// How servers are asked when an entry expires.
enum DateCommand: Sendable {
  /// By a date.
  case date
  /// By what is left, as before Redis 7: the date is as exact as the way to the server is short.
  case life

  var name: StaticString {
    switch self {
    case .date: "PEXPIRETIME"
    case .life: "PTTL"
    }
  }

  /// The expiry that an answer means which is one.
  func expiry(_ milliseconds: Int, _ clock: StorageClock) -> Expiry {
    switch self {
    case .date: Expiry(millisecondsSince1970: milliseconds)
    case .life: .date(clock.now.addingTimeInterval(Double(milliseconds) / 1000))
    }
  }
}

extension RedisClient {
  /// How the servers are asked when an entry expires, as far as is known.
  var dateCommand: DateCommand { knowsDates.load(ordering: .relaxed) ? .date : .life }

  /// Whether a server has refused a command because it does not know how to tell a date; if so, it is asked in the
  /// other way from now on.
  func isUnknown(_ command: DateCommand, by refusal: RedisReplyError) -> Bool {
    guard case .date = command, refusal.message.hasPrefix("ERR unknown command") else { return false }
    knowsDates.store(false, ordering: .relaxed)
    return true
  }
}
