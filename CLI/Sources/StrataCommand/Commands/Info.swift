import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let info = Verb(
    Command(
      "info", "show a store's kind and size, and the processes that have it open",
      details: "Counts the entries that have not expired, which reads the keys of all of them.",
      arguments: [.store], options: .reading)
  ) { context in
    let store = try context.open("STORE")
    context.watchSignals()
    var facts: [JSON.Member] = [.init(name: "kind", value: .text(store.kind))]
    if let path = store.path { facts.append(.init(name: "path", value: .text(path))) }
    do { facts += try await store.facts() } catch let error as StorageError
      where error == .malformedFileAttributes
    {
      try context.skipped.add(error)
    }
    if let usage = store.usage { facts.append(.init(name: "diskBytes", value: .integer(usage.bytes))) }
    var census = Census()
    var pages = Pages(of: store)
    var progress = context.progress("counted")
    while let items = try await pages.next() {
      try context.checkpoint("counted \(Units.entries(census.count))")
      census.add(items)
      progress.show(entries: census.count, bytes: census.bytes)
    }
    progress.end()
    facts += census.facts
    if let path = store.path {
      let users = Paths.users(of: path).map {
        JSON.object(["process": .integer($0.process), "name": .text($0.name)])
      }
      facts.append(.init(name: "openIn", value: .array(users)))
    }
    try context.output.document(.object(facts), text: text(of: facts, context))
  }

  /// Returns a line with the name and the value of each fact.
  private static func text(of facts: [JSON.Member], _ context: Context) -> String {
    facts.map { fact in
      let name = Units.left(labels[fact.name] ?? fact.name, 14)
      return "\(context.terminal.styled(name, .bold))  \(shown(fact))\n"
    }.joined()
  }

  private static let labels = [
    "diskBytes": "on disk", "storeBytes": "in the store", "valueBytes": "values", "keyBytes": "keys",
    "expiring": "expiring", "firstExpiry": "first expiry", "lastExpiry": "last expiry", "openIn": "open in",
  ]

  private static func shown(_ fact: JSON.Member) -> String {
    switch fact.value {
    case .integer(let number):
      fact.name.hasSuffix("Bytes") ? Units.bytes(number) : Units.count(number)
    case .text(let text): Terminal.safe(text)
    case .array(let users):
      users.isEmpty
        ? "no other process"
        : users.map { user in
          guard case .integer(let process)? = user["process"], case .text(let name)? = user["name"] else {
            return ""
          }
          return "\(Terminal.safe(name)) (\(process))"
        }.joined(separator: ", ")
    default: fact.value.compact
    }
  }
}

/// Counts of entries, bytes and expiries, summed over all entries of a store.
struct Census {
  private(set) var count = 0
  private(set) var keyBytes = 0
  private(set) var valueBytes = 0
  private(set) var expiring = 0
  private(set) var first: Date?
  private(set) var last: Date?

  var bytes: Int { keyBytes + valueBytes }

  mutating func add(_ items: [Pages.Item]) {
    for (key, entry) in items {
      count += 1
      keyBytes += key.utf8.count
      valueBytes += entry.object.count
      guard let end = entry.expiry.end else { continue }
      expiring += 1
      first = min(first ?? end, end)
      last = max(last ?? end, end)
    }
  }

  var facts: [JSON.Member] {
    var facts: [JSON.Member] = [
      .init(name: "entries", value: .integer(count)), .init(name: "keyBytes", value: .integer(keyBytes)),
      .init(name: "valueBytes", value: .integer(valueBytes)),
      .init(name: "expiring", value: .integer(expiring)),
    ]
    if let first { facts.append(.init(name: "firstExpiry", value: .text(Timestamp.text(first)))) }
    if let last { facts.append(.init(name: "lastExpiry", value: .text(Timestamp.text(last)))) }
    return facts
  }
}
