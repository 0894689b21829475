import CommandTable
import StrataCore

/// The exit statuses of the command.
enum ExitCode: Int32 {
  case done = 0
  case failed = 1
  case usage = 2
  case notFound = 3
  case damage = 4
  case busy = 5
  case refused = 6
  case skipped = 7
  case brokenPipe = 141
}

/// An error as the command prints it, as text or as JSON.
struct Failure: Error {
  let code: ExitCode
  /// The error's code in JSON, such as `notFound`.
  let name: String
  let message: String
  var key: String?
  var place: String?
  var advice: String?

  init(
    _ code: ExitCode, _ name: String, _ message: String, key: String? = nil, place: String? = nil,
    advice: String? = nil
  ) {
    self.code = code
    self.name = name
    self.message = message
    self.key = key
    self.place = place
    self.advice = advice
  }

  /// Returns the failure for a wrong command line.
  static func usage(_ message: String) -> Failure { Failure(.usage, "usage", message) }

  /// Returns the failure for a store or a file that does not exist.
  static func missing(_ message: String, place: String? = nil) -> Failure {
    Failure(.notFound, "notFound", message, place: place)
  }

  /// Converts an error of the parser, of the library or of a backend.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as UsageError:
      self.init(
        .usage, "usage", error.description,
        advice: error.command.map { "strata help \($0) explains the command" })
    case let error as StorageError:
      self.init(
        Self.code(of: error), error.code.description, Self.text(of: error),
        key: error.key.map { "\($0)" }, place: error.place,
        advice: error == .malformedFileAttributes ? Self.adviceOnDamage : nil)
    default: self.init(.failed, "failed", "\(error)")
    }
  }

  static let adviceOnDamage =
    "strata verify lists all damage; strata repair moves that of a disk: store aside, and strata copy to a new store "
    + "keeps the entries that can be listed and read"

  static func text(of error: StorageError) -> String {
    // The command opens stores for reading only by itself, which is no cause of a failure to read.
    guard let cause = error.cause, cause as? StorageError != .readOnly, !error.message.contains("\(cause)")
    else { return inOwnWords(error.message) }
    return inOwnWords("\(error.message) (\(cause))")
  }

  /// The JSON document of the failure: an object with the member `error`.
  var json: JSON {
    .object([
      "error": .object([
        "code": .text(name), "message": .text(message), "key": key.map(JSON.text),
        "place": place.map(JSON.text), "advice": advice.map(JSON.text),
      ])
    ])
  }

  /// The failure as text for standard error.
  var text: String {
    var text = "strata: " + Terminal.safe(message)
    if let key { text += "\n  key: " + Terminal.safe(key) }
    if let place, !message.contains(place) { text += "\n  place: " + Terminal.safe(place) }
    if let advice { text += "\n  " + advice }
    return text
  }
}
