#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// The command that reads an entry's expiry.
enum DateCommand: Sendable {
  /// Reads a date.
  case date
  /// Reads the remaining time, for servers before Redis 7. The date is only as precise as the round trip is short.
  case life

  var name: StaticString {
    switch self {
    case .date: "PEXPIRETIME"
    case .life: "PTTL"
    }
  }

  /// Converts a reply that is neither absent nor "never".
  func expiry(_ milliseconds: Int, _ clock: StorageClock) -> Expiry {
    switch self {
    case .date: Expiry(millisecondsSince1970: milliseconds)
    case .life: .date(clock.now.addingTimeInterval(Double(milliseconds) / 1000))
    }
  }
}

extension RedisClient {
  /// The command to use, as far as the servers' versions are known.
  var dateCommand: DateCommand { knowsDates.load(ordering: .relaxed) ? .date : .life }

  /// Whether a server refused a command because it cannot return dates. If so, all later reads use the other command.
  func isUnknown(_ command: DateCommand, by refusal: RedisReplyError) -> Bool {
    guard case .date = command, refusal.message.hasPrefix("ERR unknown command") else { return false }
    knowsDates.store(false, ordering: .relaxed)
    return true
  }
}
