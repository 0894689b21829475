import CommandTable

extension Verb {
  static let copy = Verb(
    Command(
      "copy", "copy all entries to another store, of any backend",
      details: """
        Keeps keys, bytes and expiries. Entries that the other store has already, equal in all three, are not written
        again: run the same command once more to go on after an interruption. What was written is read again and
        compared. Entries of the other store that this one has not are left there.
        """,
      arguments: [
        Argument("FROM", "the store to read", completion: .program("store")),
        Argument("TO", "the store to write; made if it is missing", completion: .program("store")),
      ],
      options: [
        Option("pattern", short: "p", "PATTERN", .text, "only keys that match"),
        Option("rate", "RATE", .rate, "maximum bytes per second, such as 10MB/s"),
        Option(flag: "dry-run", short: "n", "only count what would be copied"),
        Option(flag: "no-check", "do not read the written entries again to check them"),
      ] + .reading)
  ) { context in
    let isDry = context.invocation.has("dry-run")
    let (from, to) = try stores(context, isDry: isDry)
    context.watchSignals()
    var copying = Copying(context: context, to: to, isDry: isDry)
    try await copying.run(from)
    try context.output.document(copying.result, text: copying.summary)
  }

  private static func stores(_ context: Context, isDry: Bool) throws -> (OpenStore, OpenStore?) {
    let names = (try context.invocation.required("FROM"), try context.invocation.required("TO"))
    let urls = (try StoreURL(names.0), try StoreURL(names.1))
    let isSamePlace =
      urls.0.scheme == urls.1.scheme && Paths.absolute(urls.0.path) == Paths.absolute(urls.1.path)
    if isSamePlace, urls.0.parameters == urls.1.parameters {
      throw Failure.usage("both stores are the same")
    }
    // One process cannot open a file or folder both for reading only and for writing.
    let from = try Backends.open(names.0, context.request(isSamePlace && !isDry ? .write : .read))
    do { return (from, try Backends.open(names.1, context.request(isDry ? .read : .create))) } catch {
      let failure = Failure(error)
      if isDry, failure.code == .notFound { return (from, nil) }
      throw failure
    }
  }
}
