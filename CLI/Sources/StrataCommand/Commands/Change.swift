import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
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
