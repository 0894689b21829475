import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let get = Verb(
    Command(
      "get", "print a value",
      details: """
        Takes off what a chain put around the value: compression, the header of a loading store and, with --key-file,
        encryption. On a terminal the value is shown by its content: JSON, CBOR and property lists as JSON, texts as they
        are, other bytes in hexadecimal digits. Elsewhere its bytes are printed unchanged, without a newline.
        """,
      arguments: [.store, .key],
      options: [
        Option(
          "as", "FORMAT", .choice(["raw"] + Content.allCases.map(\.rawValue)), "read the value as this format"
        ),
        Option("output", short: "o", "FILE", .file, "write the value to a file"),
        Option(flag: "stored", "the stored bytes, with compression, encryption and headers"),
        Option(flag: "stale", "print the value even if it has expired"),
        Option("domain", "NAME", .text, "the domain of the encrypted store"),
      ] + .store)
  ) { context in
    let store = try context.open("STORE")
    let key = try context.invocation.required("KEY")
    guard let entry = try await store.storage.entryIfPresent(forKey: key) else {
      throw Failure(.notFound, "notFound", "nothing is stored under this key", key: key)
    }
    if entry.expiry.isExpired(by: store.storage.clock), !context.invocation.has("stale") {
      throw Failure(
        .notFound, "notFound", "the value expired at \(entry.expiry.text)", key: key,
        advice: "--stale prints it nevertheless")
    }
    let cipher = store.kind == "vault" ? nil : try context.request(.read).secrets.valueKey()
    let isStored = context.invocation.has("stored")
    let value =
      isStored
      ? nil
      : await StoredValue(
        entry.object, key: key, cipher: cipher, domain: context.invocation.text("domain") ?? "")
    if let problem = value?.problem { try context.output.say("strata: \(problem)") }
    let bytes = value?.bytes ?? entry.object
    let format = context.invocation.text("as")
    if let path = context.invocation.text("output"), path != "-" {
      return try write(bytes, to: path)
    }
    if context.output.form != .text {
      return try context.output.document(json(key, entry, value, bytes), text: "")
    }
    if let content = format.flatMap({ Content(rawValue: $0) }) {
      return try context.output.write(shown(content.shown(bytes), content, context))
    }
    if format == "raw" || !context.terminal.hasOutput { return try context.output.write(Array(bytes)) }
    let content = Content(of: bytes)
    try context.output.write(shown(content.shown(bytes), content, context))
  }

  /// Returns the shown value; for text on a terminal, with tabs expanded and control characters escaped.
  private static func shown(_ text: String, _ content: Content, _ context: Context) -> String {
    guard context.terminal.hasOutput, content == .text else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      Terminal.safe(String(line.replacing("\t", with: "    ")))
    }.joined(separator: "\n")
  }

  private static func write(_ bytes: Data, to path: String) throws {
    do { try bytes.write(to: URL(filePath: path)) } catch {
      throw Failure(.failed, "failed", "cannot write the file: \(error)", place: path)
    }
  }

  private static func json(_ key: String, _ entry: Entry<Data>, _ value: StoredValue?, _ bytes: Data) -> JSON
  {
    .object([
      "key": .text(key), "size": .integer(entry.object.count), "expires": entry.expiry.json,
      "format": .text(Content(of: bytes).rawValue),
      "layers": value.map { .array($0.layers.map(JSON.text)) },
      "freshUntil": value?.freshUntil.map { .text(Timestamp.text($0)) }, "value": Record.value(bytes),
    ])
  }
}
