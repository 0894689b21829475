import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

/// Two tiers, typed as `Int`, that fail on demand and record their calls. Negative numbers cannot be encoded.
final class HybridUnderTest: Sendable {
  let time = ManualClock()
  let coder = CountingTransformer()
  let front: DictionaryStorage<String, TypeWrapper>
  let back: DictionaryStorage<String, Data>
  let link: any StorageAware<String, Int>
  private let log: CallLog

  /// By default the tiers' clock is `time`.
  init(_ half: Half, clock: StorageClock? = nil) {
    let clock = clock ?? time.clock
    let log = CallLog()
    self.log = log
    front = DictionaryStorage(clock: clock, peeks: true)
    back = DictionaryStorage(clock: clock)
    let hybrid = HybridStorage(
      front: SyncFace(base: front) { log.add("front", $0) },
      back: SyncFace(base: back) { log.add("back", $0) })
    let typed = TypeWrapperStorage(hybrid, transformer: coder.transformer)
    link = half == .sync ? SyncFace(base: typed) : typed
  }

  /// The entries of the tiers, whichever operations fail on demand.
  var inFront: [String: Int] { get throws { try front.objects.mapValues { try Self.number($0.data()) } } }
  var inBack: [String: Int] { get throws { try back.objects.mapValues(Self.number) } }

  static func data(_ number: Int) -> Data { Data("\(number)".utf8) }
  static func number(_ data: Data) throws -> Int { try JSONDecoder().decode(Int.self, from: data) }

  /// Stores a value directly in one tier.
  func put(inFront number: Int, _ key: String, _ expiry: Expiry = .never) throws {
    try front.setObject(TypeWrapper(data: Self.data(number)), forKey: key, expiry: expiry)
  }
  func put(inBack number: Int, _ key: String, _ expiry: Expiry = .never) throws {
    try back.setObject(Self.data(number), forKey: key, expiry: expiry)
  }

  /// Returns the tiers' calls since the last time, for example "back.setObject".
  func takeCalls() -> [String] { log.take() }
}

/// A record of calls, in their order.
final class CallLog: Sendable {
  private let lines = Locked<[String]>([])

  func add(_ store: String, _ function: String) {
    lines.withLock { $0.append("\(store).\(function.prefix { $0 != "(" })") }
  }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
