import ChainSupport
import Strata
@testable import StrataTestKit

extension ChainFault {
  static let all =
    ofAtomicChanges + ofRemembering + ofTiers + ofExpiry + ofObservers + ofKeys + ofTypes + ofStreams

  private static let ofAtomicChanges = [
    ChainFault(.atomicChanges, .oneProcess, "reads and writes in two steps", "is stored") { _ in
      .updatesInSteps
    },
    ChainFault(.atomicChanges, .twoProcesses, "excludes updates of its process only", "by two processes") {
      _ in
      .locksInProcess(Shared(false))
    },
    ChainFault(.atomicChanges, .restart, "does not write updates", "with a restart") { _ in .losesUpdates },
    ChainFault(.atomicChanges, .failingTier, "repeats updates that threw", "threw, then 1 did not") { _ in
      .repeatsUpdates
    },
  ]

  private static let ofRemembering = [
    ChainFault(
      .remembering, .oneProcess, "removes with the copy in the front", "without the copies in the front"
    ) {
      _ in .forgetsAll
    },
    ChainFault(.remembering, .twoProcesses, "marks removals in memory", "another process reads") { _ in
      .marksRemovals(Shared([]))
    },
    ChainFault(.remembering, .restart, "marks removals in memory", "after a restart") { _ in
      .marksRemovals(Shared([]))
    },
    ChainFault(
      .remembering, .failingTier, "returns from writes that failed", "after a write that returned while"
    ) {
      _ in .acknowledgesFailures
    },
  ]

  private static let ofTiers = [
    ChainFault(.failures, .failingTier, "takes a failure for a miss", "gives nothing") { _ in .missesFailures
    },
    ChainFault(
      .failures, .failingTier, "writes the front first", "threw while the back fails", of: .writesFrontFirst),
    ChainFault(
      .promotion, .oneProcess, "copies what it read, whatever was written meanwhile",
      "in the middle of a read", of: .copiesLate),
    ChainFault(
      .promotion, .twoProcesses, "does not notice other processes", "during a read", of: .copiesLate),
    ChainFault(.promotion, .restart, "has the copies of an earlier run", "after a restart", of: .keepsFront),
    ChainFault(
      .promotion, .failingTier, "fails a read with the front", "when the value is copied to it",
      of: .failsWithFront),
  ]

  private static let ofExpiry = [
    ChainFault(.expiry, .oneProcess, "drops the expiry", "has the expiry never") { _ in .dropsExpiry },
    ChainFault(.expiry, .twoProcesses, "has expiries in memory", "another process reads the expiry") { _ in
      .expiriesInMemory(Shared([:]))
    },
    ChainFault(.expiry, .restart, "has expiries in memory", "after a restart, the entry of") { _ in
      .expiriesInMemory(Shared([:]))
    },
  ]

  private static let ofObservers = [
    ChainFault(.observers, .oneProcess, "reports twice", "has received") {
      (chain: inout TestedChain, _: ChainTiers) in
      chain.observers = chain.observers.mapValues { observe in
        { receive in
          try observe { change in
            receive(change)
            receive(change)
          }
        }
      }
    },
    ChainFault(.observers, .restart, "reports no removals", "after removeObject") {
      (chain: inout TestedChain, _: ChainTiers) in
      chain.observers = chain.observers.mapValues { observe in
        { receive in
          try observe { change in
            if case .remove = change { return }
            receive(change)
          }
        }
      }
    },
    ChainFault(.observers, .failingTier, "reports before it writes", "after a write while") {
      (chain: inout TestedChain, _: ChainTiers) in
      let receivers = Shared<[@Sendable (StorageChange<String>) -> Void]>([])
      chain.records = lapsing(
        chain.records, .tellsFirst { key in for receive in receivers.value { receive(.add(key: key)) } })
      chain.observers = [
        "own": { receive in
          receivers.change { $0.append(receive) }
          return ObservationToken { receivers.change { $0 = [] } }
        }
      ]
    },
  ]

  private static let ofKeys = [
    ChainFault(.keys, .oneProcess, "lists a key twice", "lists a key twice") { _ in .listsTwice },
    ChainFault(.keys, .twoProcesses, "lists its own keys", "another process lists") { _ in
      .listsItsOwn(Shared([]))
    },
    ChainFault(.keys, .restart, "lists the keys of this run", "after a restart") { _ in
      .listsItsOwn(Shared([]))
    },
    ChainFault(.keys, .failingTier, "lists nothing if it fails", "lacks") { _ in .listsNothingOnFailure },
  ]

  private static let ofTypes = [
    ChainFault(.types, .oneProcess, "removes values of other types", "through a view of another type") { _ in
      .removesOtherTypes
    },
    ChainFault(.types, .restart, "finds no values of other types", "and not typeNotMatch") { _ in
      .missesOtherTypes
    },
  ]

  private static let ofStreams = [
    ChainFault(
      .streams, .oneProcess, "stores the parts of a writer that failed", "after a writer whose source threw"
    ) {
      _ in .commitsParts
    },
    ChainFault(.streams, .twoProcesses, "has values in parts in memory", "another process reads") { _ in
      .partsInMemory(Shared([:]))
    },
    ChainFault(.streams, .restart, "has values in parts in memory", "after a restart") { _ in
      .partsInMemory(Shared([:]))
    },
    ChainFault(
      .streams, .failingTier, "has zeros in place of what it cannot read", "a read in parts during which",
      in: .typed
    ) { _ in
      .fillsStreams
    },
  ]
}
