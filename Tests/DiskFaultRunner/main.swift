import CFaults
import Foundation

// DiskFaultRunner <folder> <scenario> <fault> <first round> <stride>: runs rounds, and prints the violations, one per
// line, and then the number of rounds. Without arguments: lists the scenarios and faults.
// DiskFaultRunner <folder> syncs: checks when the store syncs its files.
// DiskFaultRunner <folder> inheritance: checks whether a forked child keeps a lock.
// DiskFaultRunner <folder> opening: deletes the folder for a moment while a store is opened.
// DiskFaultRunner <folder> kills|processes <seed> <rounds>: random rounds with processes that are killed, or lose their
// folder.

let words = CommandLine.arguments.dropFirst()
if faults_are_possible() == 0 { fail("calls of the system cannot be made to fail here") }
if words.isEmpty {
  print("scenarios: \(Scenario.all.map(\.name))\nfaults: \(Fault.all.map(\.name))")
  exit(0)
}
if words.count == 2, words[2] == "syncs" {
  do {
    _ = faults_shared()
    var syncs = Syncs(in: URL(fileURLWithPath: words[1]))
    let violations = try syncs.run()
    violations.forEach { print($0) }
    exit(violations.isEmpty ? 0 : 1)
  } catch { fail("\(error)") }
}
if words.count == 2, words[2] == "inheritance" {
  do {
    let violations = try Inheritance.check(in: URL(fileURLWithPath: words[1]))
    violations.forEach { print($0) }
    exit(violations.isEmpty ? 0 : 1)
  } catch { fail("\(error)") }
}
if words.count == 2, words[2] == "opening" {
  do {
    let violations = try Opening.check(in: URL(fileURLWithPath: words[1]))
    violations.forEach { print($0) }
    exit(violations.isEmpty ? 0 : 1)
  } catch { fail("\(error)") }
}
if words.count == 4, let kind = Soak.Kind(rawValue: words[2]), let seed = UInt64(words[3]),
  let rounds = Int(words[4])
{
  do {
    let violations = try Soak(kind, in: URL(fileURLWithPath: words[1]).appending(path: "soak")).run(
      seed: seed, rounds: rounds)
    violations.forEach { print($0) }
    exit(violations.isEmpty ? 0 : 1)
  } catch { fail("\(error)") }
}
guard words.count == 5, let scenario = Scenario.all.first(where: { $0.name == words[2] }),
  let fault = Fault.all.first(where: { $0.name == words[3] }), let first = Int(words[4]),
  let stride = Int(words[5])
else { fail("these arguments say nothing: \(words)") }

do {
  var rounds = Rounds(scenario, fault, in: URL(fileURLWithPath: words[1]))
  let result = try rounds.run(first: first, stride: stride)
  result.violations.forEach { print($0) }
  print("rounds: \(result.rounds)")
  exit(result.violations.isEmpty ? 0 : 1)
} catch { fail("\(error)") }
