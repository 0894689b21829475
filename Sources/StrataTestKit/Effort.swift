#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The extent of the costliest checks. `STRATA_TESTKIT_EFFORT=brief` in the environment reduces it to a tenth or a
/// quarter, for tests that run after every change.
package enum Effort: String {
  case full, brief

  /// The effort of all checks in a process, unless a test sets another one for its task.
  @TaskLocal package static var current =
    ProcessInfo.processInfo.environment["STRATA_TESTKIT_EFFORT"] == Self.brief.rawValue ? Self.brief : .full

  /// The maximum time between a change and its announcement.
  @TaskLocal package static var announcementLimit = Duration.seconds(5)

  /// Returns the number of repetitions, mostly by several tasks at the same time, of which a full check makes `count`.
  func rounds(_ count: Int) -> Int { self == .full ? count : count / 4 }
  /// The number of entries that `manyKeys` stores.
  var manyKeys: Int { self == .full ? 100_000 : 10_000 }
  /// The maximum size of the value that `hugeValue` stores, in bytes.
  var hugeValueSize: Int { self == .full ? .max : 6 << 20 }
  /// The number of operations whose effect on descriptors and threads `resources` measures.
  var operations: Int { self == .full ? 10_000 : 1_000 }
  /// The number of folders in which `survivingKill` kills processes, one after the other.
  var killFolders: Int { self == .full ? 2 : 1 }
  /// The number of processes that `survivingKill` kills in each folder.
  var kills: Int { self == .full ? 12 : 4 }
  /// The number of writing processes that `severalProcesses` kills.
  var killedWriters: Int { self == .full ? 4 : 1 }
}
