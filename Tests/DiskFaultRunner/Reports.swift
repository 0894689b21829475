import Foundation
import StrataCore
import StrataDisk

/// What stores have reported.
final class Reports: Sendable {
  private let errors = Locked<[StorageError]>([])

  func add(_ error: StorageError) { errors.withLock { $0.append(error) } }

  /// What came since the last call.
  func take() -> [StorageError] {
    errors.withLock { errors in
      defer { errors = [] }
      return errors
    }
  }
}

extension Scenario {
  func open(_ folder: URL, _ reports: Reports) throws -> DiskStorage<String> {
    try DiskStorage(
      config: DiskConfig(
        name: folder.lastPathComponent, maxSize: maxSize, directory: folder.deletingLastPathComponent(),
        layout: layout, durability: durability, onDamage: { reports.add($0) }))
  }

  /// Whether a report is right even if nothing goes wrong any more.
  func mayReport(_ error: StorageError) -> Bool {
    if error == .malformedFileAttributes, strike?.damagedKey != nil { return true }
    if case .torn? = strike { return error == .malformedFileAttributes }
    return false
  }
}
