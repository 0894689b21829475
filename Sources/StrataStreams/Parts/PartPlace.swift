#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The place in which a store keeps the parts of its values: all that a store needs to implement, so that its values
/// can be read and written a part at a time. The rest is written once, in `DividedValue` and `DividedWriter`.
///
/// Users never see the records of parts: they are not among the keys of the store. A value that fits into one part is
/// stored as an ordinary entry.
package protocol PartPlace: Sendable {
  /// What identifies an entry: its key, or the name of its record.
  associatedtype Name: Sendable

  /// The clock by which leases of values that are being written end.
  var clock: StorageClock { get }
  /// The number of bytes of a part.
  var partSize: Int { get }
  /// Throws `.tooLarge` if the store cannot store a value of so many bytes.
  func checkLength(_ length: Int, _ name: Name) throws

  /// Returns the bytes of parts, as `DividedValue.assembled` does: `nil` if one is not stored.
  func bytes(_ numbers: Range<Int>, of value: DividedValue, _ name: Name) async throws -> Data?
  /// Returns whether an entry still has this value.
  func has(_ name: Name, _ value: DividedValue) async throws -> Bool

  /// Stores records of parts from a number on. They are kept for `stagingLease`, which begins again with each call,
  /// also with one without records.
  func store(_ records: [Data], from number: Int, of id: ValueID, _ name: Name) async throws
  /// Replaces the value of an entry by one whose parts are stored, in one step, and returns whether it did: with
  /// `ifAbsent` it does only if there is no entry that has not expired. Throws if the parts are gone.
  func commit(_ value: DividedValue, _ name: Name, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool
  /// Replaces the value of an entry by one that fits into one part.
  func commit(_ value: Data, _ name: Name, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool
  /// Removes the parts of a value that has not been committed.
  func discard(_ id: ValueID, _ name: Name) async

  /// Adds the key and the location to an error.
  func explained(_ error: StorageError, _ name: Name) -> any Error
}

extension PartPlace {
  package var partSize: Int { DividedValue.usualPartSize }
  package func checkLength(_ length: Int, _ name: Name) {}
}

extension StorageError {
  /// The error for a value that was replaced while it was read.
  package static let replacedMeanwhile = backendFailed.with(
    "the value was replaced or removed while it was read; read it again", cause: ReplacedMeanwhile())
  /// Whether the error is that of a value that was replaced while it was read.
  package var isOfReplacement: Bool { cause is ReplacedMeanwhile }
  /// The error for a value whose parts were removed before it was committed.
  package static let stagedPartsLost = backendFailed.with(
    "the bytes that were written so far are gone: the store was emptied by other means, or nothing was written for "
      + "longer than an hour; the old value is unchanged. Write the value again")
}

private struct ReplacedMeanwhile: Error, CustomStringConvertible {
  var description: String { "another value has taken its place" }
}
