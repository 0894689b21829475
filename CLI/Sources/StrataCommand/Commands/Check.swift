import CommandTable
import StrataCore

extension Verb {
  static let verify = Verb(
    Command(
      "verify", "look for damage; ends with status 4 if there is any",
      details: "Checks the files of the store where its backend can, and reads every entry. Changes nothing.",
      arguments: [.store], options: .store)
  ) { context in
    let store = try context.open("STORE")
    context.watchSignals()
    context.output.beginRecords()
    var findings = try store.check?() ?? []
    let (count, unreadable) = try await readAll(store, context)
    // The check of the files may have found the same damage, with or without its key.
    let named = Set(findings.compactMap(\.key))
    findings += unreadable.filter { !named.contains($0.key ?? "") }
    for finding in findings { try show(finding, context) }
    try context.output.endRecords()
    let damage = findings.count(where: \.isDamage)
    if damage > 0 {
      try context.output.say(
        "\(damage == 1 ? "1 damage" : "\(damage) damages"), \(Units.entries(count)) sound")
      try context.output.flush()
      throw CommandEnd(code: .damage)
    }
    try context.output.say("\(Units.entries(count)) sound")
  }

  /// Reads all entries one by one. Returns the number of readable entries, and a finding for each unreadable entry.
  private static func readAll(_ store: OpenStore, _ context: Context) async throws -> (Int, [Finding]) {
    var findings: [Finding] = []
    var (count, bytes) = (0, 0)
    var progress = context.progress("read")
    var pages = Pages(of: store)
    while let keys = try await pages.nextKeys(256) {
      try context.checkpoint("read \(Units.entries(count))")
      for key in keys {
        do {
          guard let entry = try await store.storage.entryIfPresent(forKey: key) else { continue }
          count += 1
          bytes += entry.object.count
        } catch StorageError.malformedFileAttributes {
          findings.append(Finding(kind: "damaged", place: key, reason: "the entry cannot be read", key: key))
        }
      }
      progress.show(entries: count, bytes: bytes)
    }
    progress.end()
    return (count, findings)
  }

  static let repair = Verb(
    Command(
      "repair", "move damaged files aside, and keep the rest",
      details: "Prints the findings. Damaged files are kept in the folder Damaged of the store.",
      arguments: [.store], options: [.init(flag: "yes", short: "y", "do not ask")] + .store)
  ) { context in
    let store = try context.open("STORE", .write)
    guard let repair = store.repair else { throw unsupported("repair", store) }
    try context.confirm("Move the damaged files of \(store.path ?? store.url.text) aside?")
    context.output.beginRecords()
    let findings = try repair()
    for finding in findings { try show(finding, context) }
    try context.output.say(findings.isEmpty ? "nothing to repair" : "repaired \(findings.count)")
  }

  static let compact = Verb(
    Command(
      "compact", "give the space of removed and expired entries back",
      arguments: [.store], options: .store)
  ) { context in
    let store = try context.open("STORE", .write)
    guard let compact = store.compact else { throw unsupported("compact", store) }
    let before = store.usage?.bytes ?? 0
    try compact()
    let after = store.usage?.bytes ?? 0
    try context.output.document(
      .object(["before": .integer(before), "after": .integer(after)]),
      text: "\(Units.bytes(before)) → \(Units.bytes(after))\n")
  }

  private static func unsupported(_ verb: String, _ store: OpenStore) -> Failure {
    Failure(
      .refused, "unsupported", "strata cannot \(verb) a store of \(store.kind)", place: store.path,
      advice: store.alternative)
  }

  private static func show(_ finding: Finding, _ context: Context) throws {
    let kind = context.terminal.styled(finding.kind, finding.isDamage ? .red : .yellow)
    let key = finding.key.map { $0 == finding.place ? "" : "\tkey: " + Terminal.safe($0) } ?? ""
    try context.output.record(
      finding.json, text: "\(kind)\t\(Terminal.safe(finding.place))\t\(Terminal.safe(finding.reason))\(key)")
  }
}
