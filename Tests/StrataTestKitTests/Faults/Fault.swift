import Foundation
import Strata
import StrataTestKit
import Testing

/// A fault, the contract that it violates, and the kit's expected explanation.
struct Fault: Sendable, CustomTestStringConvertible {
  let promise: Contract
  let name: String
  /// A part of the explanation: the reason for which the kit must reject the store.
  let reason: String
  let subject: Subject
  /// Whether nearly every brief check must reject the store.
  let isBrief: Bool

  init(
    _ promise: Contract, _ name: String, _ reason: String, isBrief: Bool = false,
    _ bend: @escaping @Sendable (inout Bent) -> Void
  ) {
    self.init(promise, name, reason, isBrief: isBrief) { bent, _ in bend(&bent) }
  }

  init(
    _ promise: Contract, _ name: String, _ reason: String, isBrief: Bool = false,
    _ bend: @escaping @Sendable (inout Bent, Place) -> Void
  ) {
    self.promise = promise
    self.name = name
    self.reason = reason
    self.isBrief = isBrief
    subject = Subject(name) { place in
      var bent = Bent(try Self.good(promise, at: place))
      bend(&bent, place)
      return bent
    }
  }

  init(_ promise: Contract, _ reason: String, isBrief: Bool = false, _ subject: Subject) {
    self.promise = promise
    name = subject.name
    self.reason = reason
    self.subject = subject
    self.isBrief = isBrief
  }

  var testDescription: String { "\(promise): \(name)" }

  /// Returns a store without a fault, for a contract that it keeps.
  static func good(_ promise: Contract) -> Subject {
    if promise == .bothWorlds {
      return Subject("without a fault") {
        Reference(at: $0)
      } awaited: {
        $0.awaited()
      }
    }
    if promise == .announcing { return Subject("without a fault") { Announcing(at: $0) } }
    if promise == .damage { return Checked.subject("without a fault") { (_: inout Bent) in } }
    if promise == .lostWrites { return Lossy.subject("without a fault") { _, _ in true } }
    if promise == .blocking { return Subject("without a fault") { Reference(at: $0) } }
    return Subject("without a fault") { Bent(try good(promise, at: $0)) }
  }

  /// Returns the correct store that faulty ones are made from.
  static func good(_ promise: Contract, at place: Place) throws -> any StorageAware<String, Data> {
    // The check of `tornStreams` also kills processes, and that of `streams` measures what is in memory.
    guard Set<Contract>.ofPersistence.union([.streams, .tornStreams]).contains(promise),
      promise != .severalHandles
    else {
      return Reference(at: place)
    }
    let config = DiskConfig(name: "disk", expiry: place.expiry, directory: place.url, clock: place.clock)
    return try DiskStorage<String>(config: config)
  }

  static let all =
    ofValues + ofKeys + ofPaging + ofExpiry + ofBatches + ofEntries + ofConcurrency + ofUpdates + ofConditions
    + ofChanges
    + ofCounting + ofWorlds + ofResources + ofCopies + ofNeglect + ofCaching + ofAnnouncing + ofPersistence
    + ofDamage + ofLostWrites + ofStreams + ofRanges + ofTornStreams
}
