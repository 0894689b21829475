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
        """,
      arguments: [.store, .key],
      options: [
        Option("file", short: "f", "FILE", .file, "the file with the value; - for standard input"),
        Option(flag: "if-absent", "fail with status 6 if there is a value"),
      ] + .expiry + .store)
  ) { context in
    let key = try context.invocation.required("KEY")
    let expiry = try context.expiry() ?? .never
    let value = try Input.bytes(context.invocation.text("file") ?? "-")
    let store = try context.open("STORE", .create)
    if context.invocation.has("if-absent") {
      guard try await putIfAbsent(value, key, expiry, in: store) else {
        throw Failure(
          .refused, "exists", "a value is already stored under this key, and was not replaced", key: key)
      }
    } else {
      try await store.storage.setObject(value, forKey: key, expiry: expiry)
    }
    try context.output.say("stored \(Units.bytes(value.count))")
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

  static let rm = Verb(
    Command(
      "rm", "remove entries",
      details:
        "With --pattern it prints how many entries match, and asks. If a key does not exist, the status is 3.",
      arguments: [.store, Argument("KEY", "keys to remove", count: .any, completion: .program("key"))],
      options: [Option("pattern", short: "p", "PATTERN", .text, "all keys that match")] + .destruction
        + .store)
  ) { context in
    let isDry = context.invocation.has("dry-run")
    let keys = context.invocation.arguments("KEY")
    guard keys.isEmpty != (context.invocation.text("pattern") == nil) else {
      throw Failure.usage("name the keys to remove, or give --pattern")
    }
    let store = try context.open("STORE", isDry ? .read : .write)
    if let text = context.invocation.text("pattern") {
      return try await remove(matching: Pattern(text), from: store, isDry: isDry, context)
    }
    let entries = try await store.storage.entries(forKeys: keys)
    if let missing = keys.first(where: { entries[$0] == nil }) {
      throw Failure(
        .notFound, "notFound", "nothing is stored under this key; nothing was removed", key: missing)
    }
    if !isDry { try await store.storage.removeObjects(forKeys: keys) }
    try context.output.say("\(isDry ? "would remove" : "removed") \(Units.entries(entries.count))")
  }

  private static func remove(
    matching pattern: Pattern, from store: OpenStore, isDry: Bool, _ context: Context
  ) async throws {
    let count = try await Pages.count(of: store, matching: pattern)
    if isDry || count == 0 {
      return try context.output.say("\(isDry ? "would remove" : "removed") \(Units.entries(count))")
    }
    try context.confirm("Remove \(Units.entries(count))?")
    context.watchSignals()
    var removed = 0
    var progress = context.progress("removed", total: count)
    var pages = Pages(of: store, matching: pattern)
    while let keys = try await pages.nextKeys() {
      try context.checkpoint("removed \(Units.entries(removed))")
      try await store.storage.removeObjects(forKeys: keys)
      removed += keys.count
      progress.show(entries: removed, bytes: 0)
    }
    progress.end()
    try context.output.say("removed \(Units.entries(removed))")
  }

  static let expire = Verb(
    Command(
      "expire", "change when entries expire",
      arguments: [.store, Argument("KEY", "keys", count: .many, completion: .program("key"))],
      options: .expiry + [Option(flag: "never", "keep the entries for ever")] + .store)
  ) { context in
    guard let expiry = try context.expiry() else { throw Failure.usage("give --in, --at or --never") }
    let store = try context.open("STORE", .write)
    for key in context.invocation.arguments("KEY") {
      guard try await touch(key, expiry, in: store) else {
        throw Failure(.notFound, "notFound", "nothing is stored under this key", key: key)
      }
    }
    try context.output.say("expires: \(expiry.text)")
  }

  private static func touch(_ key: String, _ expiry: Expiry, in store: OpenStore) async throws -> Bool {
    if let store = store.storage as? any ConditionalStorage<String, Data> {
      return try await store.touch(forKey: key, expiry: expiry)
    }
    guard let value = try await store.storage.objectIfPresent(forKey: key) else { return false }
    try await store.storage.setObject(value, forKey: key, expiry: expiry)
    return true
  }
}
