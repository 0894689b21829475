#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// The command by which the client reads an entry's expiry.
enum DateCommand: UInt8, AtomicRepresentable, Sendable {
  /// Reads the date (`PEXPIRETIME`).
  case date
  /// Computes the date from the server's clock and the remaining time, for servers before Redis 7.
  case script
  /// Reads the remaining time, if the user may not run scripts either. The resulting date is late by up to the time of
  /// the round trip.
  case life

  /// The clock is read before and after the remaining time, until both are in the same millisecond, so that the date is
  /// exact.
  private static let program: StaticString = """
    local before, life, after repeat before = redis.call('TIME') life = redis.call('PTTL', KEYS[1]) \
    after = redis.call('TIME') until before[1] == after[1] and \
    math.floor(before[2] / 1000) == math.floor(after[2] / 1000) \
    if life < 0 then return life end return before[1] * 1000 + math.floor(before[2] / 1000) + life
    """

  /// The maximum size of the command without its key.
  var size: Int {
    switch self {
    case .date: RedisWriter.size(ofName: "PEXPIRETIME")
    case .script:
      RedisWriter.size(ofName: "EVAL") + RedisWriter.size(ofName: Self.program)
        + RedisWriter.size(ofName: "1")
    case .life: RedisWriter.size(ofName: "PTTL")
    }
  }

  /// Writes the command without its key, which follows.
  func write(to writer: inout RedisWriter) {
    switch self {
    case .date: writer.write("PEXPIRETIME", words: 1)
    case .script:
      writer.write("EVAL", words: 3)
      writer.write(Self.program)
      writer.write("1" as StaticString)
    case .life: writer.write("PTTL", words: 1)
    }
  }

  /// Returns the expiry for a reply that is a date or a duration in milliseconds.
  func expiry(_ milliseconds: Int, _ clock: StorageClock) -> Expiry {
    switch self {
    case .date, .script: Expiry(millisecondsSince1970: milliseconds)
    case .life: .date(clock.now.addingTimeInterval(Double(milliseconds) / 1000))
    }
  }

  /// The command to use instead, if a server refused this command because it lacks it, or does not allow it.
  fileprivate func alternative(to refusal: RedisReplyError) -> DateCommand? {
    switch self {
    case .date: refusal.message.hasPrefix("ERR unknown command") ? .script : nil
    case .script: refusal.code == "NOPERM" && refusal.message.contains("eval") ? .life : nil
    case .life: nil
    }
  }
}

extension RedisClient {
  /// The command to use, as far as the servers' versions and the user's rights are known.
  var dateCommand: DateCommand { knownDateCommand.load(ordering: .relaxed) }

  /// Makes all later reads use another command, if a server cannot execute this one. Throws any other refusal.
  func replace(_ command: DateCommand, after refusal: RedisReplyError) throws(StorageError) {
    guard let alternative = command.alternative(to: refusal) else { throw .refusal(refusal, by: nil) }
    knownDateCommand.store(alternative, ordering: .relaxed)
  }
}
