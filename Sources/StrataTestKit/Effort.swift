#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How much the costliest checks do: `STRATA_TESTKIT_EFFORT=brief` in the environment asks for a tenth, for tests that
/// are run after every change.
package enum Effort: String {
  case full, brief

  /// That of all checks of a process, but where a test asks for another.
  @TaskLocal package static var current =
    ProcessInfo.processInfo.environment["STRATA_TESTKIT_EFFORT"] == Self.brief.rawValue ? Self.brief : .full

  /// How many entries `manyKeys` stores.
  var manyKeys: Int { self == .full ? 100_000 : 10_000 }
  /// The largest value that `hugeValue` stores, in bytes.
  var hugeValueSize: Int { self == .full ? .max : 6 << 20 }
  /// How many processes `survivingKill` kills in each of its two folders.
  var kills: Int { self == .full ? 12 : 4 }
}
