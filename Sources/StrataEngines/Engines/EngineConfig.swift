import StrataCore

/// The settings that the configurations of all engines with a file have in common.
package protocol EngineConfig: Sendable {
  var path: String { get set }
  var expiry: Expiry { get }
  var maxSize: UInt { get }
  var clock: StorageClock { get }
}

extension EngineConfig {
  /// The maximum size of all entries; `nil` for no limit.
  @inlinable
  package var limit: Int? { maxSize == 0 ? nil : Int(clamping: maxSize) }

  /// Throws if the name of a part of the file, such as a table, is empty, has a NUL byte, or breaks another rule of the
  /// engine.
  package func checkName(
    _ name: String, of part: String, _ rule: String, _ isValid: (String) -> Bool = { _ in true }
  ) throws(StorageError) {
    if !name.isEmpty, !name.utf8.contains(0), isValid(name) { return }
    throw .invalidConfiguration.with(
      "\(String(reflecting: name)) cannot name \(part): it must \(rule)", place: path)
  }
}
