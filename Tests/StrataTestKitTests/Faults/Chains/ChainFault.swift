import ChainSupport
import Foundation
import Strata
@testable import StrataTestKit
import Testing

/// A faulty link of a chain, the check that it fails, and the kit's expected explanation.
struct ChainFault: Sendable, CustomTestStringConvertible {
  let check: ChainCheck
  let name: String
  /// A part of the explanation: the reason for which the kit must reject the chain.
  let reason: String
  let subject: ChainSubject

  /// Describes a chain over a disk whose parts `bend` replaces by faulty ones.
  init(
    _ promise: ChainPromise, _ circumstance: Circumstance, _ name: String, _ reason: String,
    in shape: ChainShape = .tiered, _ bend: @escaping @Sendable (inout TestedChain, ChainTiers) -> Void
  ) {
    check = ChainCheck(promise: promise, circumstance: circumstance)
    self.name = name
    self.reason = reason
    let good = Self.good(shape)
    subject = ChainSubject(name) { tiers in
      var chain = try await good.open(tiers)
      bend(&chain, tiers)
      return chain
    }
  }

  /// Describes a chain with a faulty link above all of its views.
  init(
    _ promise: ChainPromise, _ circumstance: Circumstance, _ name: String, _ reason: String,
    in shape: ChainShape = .tiered, _ lapse: @escaping @Sendable (ChainTiers) -> Lapse
  ) {
    self.init(promise, circumstance, name, reason, in: shape) { chain, tiers in
      let lapse = lapse(tiers)
      chain.records = lapsing(chain.records, lapse)
      chain.numbers = chain.numbers.map { lapsing($0, lapse) }
      chain.bytes = chain.bytes.map { lapsing($0, lapse) }
    }
  }

  /// Describes a chain of two tiers, built by hand and with a fault, over a typed disk without an order of its own.
  init(
    _ promise: ChainPromise, _ circumstance: Circumstance, _ name: String, _ reason: String,
    of rule: NaiveRule
  ) {
    self.init(promise, circumstance, name, reason, in: .transformed) { chain, tiers in
      chain.records = naive(chain.records, rule, tiers)
      (chain.hasFront, chain.bytes) = (true, nil)
    }
  }

  var testDescription: String { "\(check): \(name)" }

  /// Returns a chain without a fault.
  static func good(_ shape: ChainShape) -> ChainSubject {
    shape.subject(
      over: ChainBack("disk") { tiers in
        try DiskStorage<String>(config: DiskConfig(name: "back", directory: tiers.url, clock: tiers.clock))
      }, isAwaited: false)
  }
}
