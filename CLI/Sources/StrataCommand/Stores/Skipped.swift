import StrataCore
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The damaged entries that a command has left out. Each is reported once, on standard error.
final class Skipped: Sendable {
  /// Whether the first damage ends the command.
  let isStrict: Bool
  private let isJSON: Bool
  private let reports = Mutex(Reports())

  private struct Reports {
    /// The places and keys of the entries.
    var entries: Set<[String]> = []
    /// The messages of damage without a readable key.
    var others: Set<String> = []
  }

  init(isStrict: Bool = false, isJSON: Bool = false) {
    self.isStrict = isStrict
    self.isJSON = isJSON
  }

  /// Reports an entry that cannot be read. With --strict, it throws the error instead.
  func add(_ error: StorageError, _ key: String, of store: OpenStore) throws {
    if isStrict { throw error.with(key: key) }
    if !reports.withLock({ $0.entries.insert([store.url.text, key]).inserted }) { return }
    report(error.with(key: key))
  }

  /// Reports damage outside of entries. With --strict, it throws the error instead.
  func add(_ error: StorageError) throws {
    if isStrict { throw error }
    note(error)
  }

  /// Reports damage that a store has found by itself, whose key is not known.
  func note(_ error: StorageError) {
    if reports.withLock({ $0.others.insert(error.message).inserted }) { report(error) }
  }

  func contains(_ key: String, of store: OpenStore) -> Bool {
    reports.withLock { $0.entries.contains([store.url.text, key]) }
  }

  private func report(_ error: StorageError) {
    var failure = Failure(error)
    failure.advice = nil
    if isJSON { return Output.complain(failure.json.compact) }
    let key = failure.key.map { "skipped \(Terminal.safe($0)): " } ?? ""
    Output.complain("strata: \(key)\(Terminal.safe(failure.message))")
  }

  /// The failure with which a command ends that has done its work, except for damaged entries; `nil` without any.
  var failure: Failure? {
    let (entries, others) = reports.withLock { ($0.entries.count, $0.others.count) }
    if entries + others == 0 { return nil }
    var parts = entries > 0 ? ["\(Units.entries(entries)) skipped, for damage"] : []
    if others > 0 { parts.append("other damage: \(Units.count(others))") }
    let code: ExitCode = isStrict ? .damage : .skipped
    return Failure(code, "skipped", parts.joined(separator: "; "), advice: Failure.adviceOnDamage)
  }
}

extension OpenStore {
  /// Returns the stored entries of many keys. If one of them is damaged, it reads all one by one, and passes the errors
  /// of the damaged ones to `onDamage`, which by default reports them as skipped.
  func entries(
    forKeys keys: [String], onDamage: ((StorageError, String) throws -> Void)? = nil
  ) async throws -> [String: Entry<Data>] {
    do { return try await storage.entries(forKeys: keys) } catch StorageError.malformedFileAttributes {}
    var entries: [String: Entry<Data>] = [:]
    for key in keys {
      do { entries[key] = try await storage.entryIfPresent(forKey: key) } catch let error as StorageError
        where error == .malformedFileAttributes
      {
        if let onDamage { try onDamage(error, key) } else { try skipped.add(error, key, of: self) }
      }
    }
    return entries
  }
}
