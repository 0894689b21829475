import Foundation
import Strata
import StrataTestKit
import Testing

/// A fault, the promise that it breaks, and what the kit must say of it.
struct Fault: Sendable, CustomTestStringConvertible {
  let promise: Contract
  let name: String
  /// A part of the explanation: the reason for which the store is to be rejected.
  let reason: String
  let bend: @Sendable (inout Bent, Place) -> Void

  init(
    _ promise: Contract, _ name: String, _ reason: String,
    _ bend: @escaping @Sendable (inout Bent) -> Void
  ) {
    self.init(promise, name, reason) { bent, _ in bend(&bent) }
  }

  init(
    _ promise: Contract, _ name: String, _ reason: String,
    _ bend: @escaping @Sendable (inout Bent, Place) -> Void
  ) {
    self.promise = promise
    self.name = name
    self.reason = reason
    self.bend = bend
  }

  var testDescription: String { "\(promise): \(name)" }

  var subject: Subject {
    Subject(name) { place in
      var bent = Bent(try Self.good(promise, at: place))
      bend(&bent, place)
      return bent
    }
  }

  /// The store of which one with the fault is made; it keeps the promise.
  static func good(_ promise: Contract, at place: Place) throws -> any StorageAware<String, Data> {
    guard Set<Contract>.ofPersistence.contains(promise), promise != .severalHandles else {
      return Reference(at: place)
    }
    let config = DiskConfig(name: "disk", expiry: place.expiry, directory: place.url, clock: place.clock)
    return try DiskStorage<String>(config: config)
  }

  static let all = ofValues + ofKeys + ofExpiry + ofBatches + ofConcurrency + ofUpdates + ofPersistence
}
