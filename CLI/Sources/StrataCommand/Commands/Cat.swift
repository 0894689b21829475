import CommandTable
import StrataCore

extension Verb {
  static let cat = Verb(
    Command(
      "cat", "print the bytes of a value of any size",
      details: """
        Prints the stored bytes unchanged, a part at a time, so that memory does not grow with the value. get takes off
        compression and encryption first, and needs the whole value in memory.
        """,
      arguments: [.store, .key],
      options: [
        Option("skip", "SIZE", .size, "leave out this many bytes at the beginning"),
        Option("count", "SIZE", .size, "print at most this many bytes"),
        Option(flag: "stale", "print the value even if it has expired"),
      ] + .store)
  ) { context in
    if context.output.form != .text {
      throw Failure.usage("cat prints bytes, and no JSON; get --json prints a value as JSON")
    }
    let key = try context.invocation.required("KEY")
    let storage = try context.open("STORE").storage
    guard let bytes = try await storage.stream(key, range(context), []) else {
      throw Failure(.notFound, "notFound", "nothing is stored under this key", key: key)
    }
    if bytes.expiry.isExpired(by: storage.clock), !context.invocation.has("stale") {
      throw Failure(
        .notFound, "notFound", "the value expired at \(bytes.expiry.text)", key: key,
        advice: "--stale prints it nevertheless")
    }
    // The value itself appears on a terminal, so a line of progress would be in its middle.
    var progress = context.byteProgress(
      "printed", total: bytes.range.count, isShown: !context.terminal.hasOutput)
    var count = 0
    for try await part in bytes {
      try context.output.write(part)
      count += part.count
      progress.show(bytes: count)
    }
    progress.end()
  }

  /// Returns the range of --skip and --count; `nil` for all bytes.
  private static func range(_ context: Context) -> Range<Int>? {
    let (skip, count) = (context.invocation.bytes("skip") ?? 0, context.invocation.bytes("count"))
    if skip == 0, count == nil { return nil }
    let (end, isTooLarge) = skip.addingReportingOverflow(count ?? .max)
    return skip..<(isTooLarge ? .max : end)
  }
}
