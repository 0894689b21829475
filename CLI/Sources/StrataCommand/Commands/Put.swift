import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let put = Verb(
    Command(
      "put", "store a value from a file, or from standard input",
      details: """
        Stores the bytes as they are: a chain that compresses or encrypts cannot read them. Creates the store if it is
        missing. Without --in and --at the entry never expires.

        A value of more than 1 MiB is stored a part at a time, and replaces the old one when it is complete. Memory does
        not grow with it, unless the backend needs the whole value, as SQLite does.
        """,
      arguments: [
        .store, .key,
        Argument(
          "FILE", "the file with the value; - for standard input", count: .optional, completion: .file),
      ],
      options: [
        Option("file", short: "f", "FILE", .file, "the same as the argument FILE"),
        Option(flag: "if-absent", "fail with status 6 if there is a value"),
      ] + .expiry + .store)
  ) { context in
    let key = try context.invocation.required("KEY")
    let expiry = try context.expiry() ?? .never
    var input = try Input(path(context))
    // A file that cannot be read must not create a store.
    let first = try input.part()
    let store = try context.open("STORE", .create)
    let isConditional = context.invocation.has("if-absent")
    var count = first.count
    if input.hasEnded {
      if isConditional {
        guard try await putIfAbsent(first, key, expiry, in: store) else { throw exists(key) }
      } else {
        try await store.storage.setObject(first, forKey: key, expiry: expiry)
      }
    } else {
      if isConditional, try await store.storage.objectExists(forKey: key) { throw exists(key) }
      let staged = try await store.storage.stage(key, expiry, [])
      do {
        count = try await append(first, input, to: staged, context)
        guard try await staged.commit(ifAbsent: isConditional) else { throw exists(key) }
      } catch {
        await staged.discard()
        throw error
      }
    }
    try context.output.say("stored \(Units.bytes(count))")
  }

  private static func path(_ context: Context) throws -> String {
    let paths = [context.invocation.argument("FILE"), context.invocation.text("file")].compactMap { $0 }
    if paths.count > 1 { throw Failure.usage("the file is given twice: leave out --file") }
    return paths.first ?? "-"
  }

  /// Appends the first part and the rest of the input, and returns the number of bytes. Throws if the command is
  /// interrupted.
  private static func append(
    _ first: Data, _ input: consuming Input, to staged: any StagedBytes, _ context: Context
  ) async throws -> Int {
    context.watchSignals()
    var progress = context.byteProgress("read", total: input.size)
    var (part, count) = (first, 0)
    while !part.isEmpty {
      try await staged.append(part)
      count += part.count
      progress.show(bytes: count)
      part = try input.part()
      try context.checkpoint("nothing was stored, after \(Units.bytes(count)) were read")
    }
    progress.end()
    return count
  }

  private static func exists(_ key: String) -> Failure {
    Failure(.refused, "exists", "a value is already stored under this key, and was not replaced", key: key)
  }

  /// Stores a value if the key has none, and returns whether it was stored. It is one atomic operation if the backend
  /// has conditional writes.
  private static func putIfAbsent(
    _ value: Data, _ key: String, _ expiry: Expiry, in store: OpenStore
  ) async throws -> Bool {
    if let store = store.storage as? any ConditionalStorage<String, Data> {
      return try await store.setIfAbsent(value, forKey: key, expiry: expiry)
    }
    if try await store.storage.objectExists(forKey: key) { return false }
    try await store.storage.setObject(value, forKey: key, expiry: expiry)
    return true
  }
}
