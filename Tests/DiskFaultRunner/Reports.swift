import Foundation
import StrataCore
import StrataDisk

/// The errors that stores have reported.
final class Reports: Sendable {
  private let errors = Locked<[StorageError]>([])

  func add(_ error: StorageError) { errors.withLock { $0.append(error) } }

  /// Returns the errors since the last call.
  func take() -> [StorageError] {
    errors.withLock { errors in
      defer { errors = [] }
      return errors
    }
  }

  /// Returns whether an error says that values' files were moved to `Damaged` since `control` was lost.
  static func isOfKeptFiles(_ error: StorageError) -> Bool {
    error == .malformedFileAttributes && error.message.contains("the control file was lost")
  }
}

extension Scenario {
  func open(_ folder: URL, _ reports: Reports) throws -> DiskStorage<String> {
    try DiskStorage(
      config: DiskConfig(
        name: folder.lastPathComponent, maxSize: maxSize, directory: folder.deletingLastPathComponent(),
        layout: layout, durability: durability, onDamage: { reports.add($0) }))
  }

  /// Returns whether a report is expected even without a fault.
  func mayReport(_ error: StorageError) -> Bool {
    if error == .malformedFileAttributes, strike?.damagedKey != nil { return true }
    if case .torn? = strike { return error == .malformedFileAttributes }
    return false
  }
}
