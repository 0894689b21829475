import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Asks one store again and again whether it answers.
struct Probe: Sendable {
  /// The outcome of one question.
  struct Answer: Sendable {
    /// The duration of the question in seconds.
    let seconds: Double
    /// The error, or `nil` if the store has answered.
    let failure: Failure?
    /// The time of the first failure after the last answer, or `nil` if the store has answered.
    let since: Date?
  }

  /// The address as it was typed.
  let address: String
  private(set) var store: OpenStore?
  private let request: OpenRequest
  /// The maximum duration of a question in seconds.
  private let limit: Double
  private var failure: Failure?
  private var since: Date?

  init(_ address: String, _ context: Context, limit: Double) {
    self.address = address
    self.limit = limit
    var request = context.request(.read)
    // The error of a client says why there is no answer, so it should come before the limit passes.
    request.timeout = limit * 0.9
    self.request = request
  }

  /// Opens the store unless it is open. Throws if the address is wrong; any other error is the next answer.
  ///
  /// A store of files is opened again for each question, so that no backend answers from cached data. A vault reads its
  /// file each time, and would ask for its passphrase again.
  mutating func open() throws {
    if let store, store.path == nil || store.kind == "vault" { return }
    store = nil
    _ = try StoreURL(address)
    do {
      store = try Backends.open(address, request)
      failure = nil
    } catch {
      let failure = Failure(error)
      if failure.code == .usage { throw failure }
      self.failure = failure
    }
  }

  /// Asks the store for one key, and waits for the answer until the limit.
  mutating func ask() async -> Answer {
    var seconds = 0.0
    if let store {
      let tier = await store.storage.health(within: .seconds(limit)).tiers.first
      failure = tier?.error.map { Failure($0) }
      seconds = tier.map { $0.latency / .seconds(1) } ?? 0
    }
    since = failure == nil ? nil : since ?? Timestamp.now
    return Answer(seconds: seconds, failure: failure, since: since)
  }
}
