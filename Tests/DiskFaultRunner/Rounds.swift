import CFaults
import Foundation
import StrataCore
import StrataDisk

/// All rounds of a scenario with a fault. The fault occurs at the first call in the first round, at the second in the
/// next, and so on, until the scenario has no further call.
struct Rounds {
  private let scenario: Scenario
  private let fault: Fault
  private let template: Folder
  private let work: Folder
  private let journal = Journal()
  private let reports = Reports()
  private var violations: [String] = []

  init(_ scenario: Scenario, _ fault: Fault, in place: URL) {
    self.scenario = scenario
    self.fault = fault
    // Created before any child is forked, so that all children share it.
    _ = faults_shared()
    template = Folder(place.appending(path: "template"))
    work = Folder(place.appending(path: "work"))
  }

  /// Runs each `stride`-th round from `first` on. Returns the number of rounds and the violations.
  mutating func run(first: Int, stride: Int) throws -> (rounds: Int, violations: [String]) {
    try makeTemplate()
    var rounds = 0
    var number = first
    while try round(number) {
      rounds += 1
      number += stride
      // The following violations are likely to be of the same kind.
      if violations.count > 20 { break }
    }
    work.remove()
    template.remove()
    return (rounds, violations)
  }

  private func makeTemplate() throws {
    template.remove()
    var before = scenario
    if case .ofFiles? = scenario.strike { before.layout = .files }
    let store = try before.open(template.url, reports)
    let first = -scenario.before.count
    for (i, step) in scenario.before.enumerated() {
      switch step {
      case .set(let sizes):
        for (key, size) in sizes {
          let value = Value(size: size, seed: first + i).bytes(of: key)
          if scenario.isScattered {
            try scatter(value, key, store)
          } else {
            try store.setObject(value, forKey: key, expiry: nil)
          }
        }
      case .read(let key): _ = try store.object(forKey: key)
      default: fail("\(step) cannot be done beforehand")
      }
    }
  }

  /// Stores an entry with a failing sync, after which the next write starts a new segment.
  private func scatter(_ value: Data, _ key: String, _ store: DiskStorage<String>) throws {
    // The first sync concerns the previous segment; the first segment has none before it.
    let isFirst = try store.keys().isEmpty
    faults_arm(CUnsignedInt(FAULTS_SYNC), isFirst ? 1 : 2, CInt(FAULTS_FAIL), EIO, 0)
    defer { faults_disarm() }
    do { try store.setObject(value, forKey: key, expiry: nil) } catch StorageError.backendFailed { return }
    fail("\(key) was synced")
  }

  /// Creates the state in which the scenario begins. Returns a store that stays open during the scenario, if there is
  /// one.
  private func prepare() throws -> DiskStorage<String>? {
    work.copy(from: template)
    let model = Model(of: scenario)
    switch scenario.strike {
    case nil: return try openStore()
    case .ofFiles: return nil
    case let strike?:
      // Opening the copy rebuilds its control file, which the store would not trust otherwise.
      _ = try openStore()
      try strike.hit(work.url) { key in model.values(of: key).compactMap { $0 }[0].bytes(of: key) }
      return nil
    }
  }

  private func openStore() throws -> DiskStorage<String> { try scenario.open(work.url, reports) }

  /// Returns whether the fault occurred.
  private mutating func round(_ number: Int) throws -> Bool {
    journal.clear()
    let survivor = try prepare()
    let child = faults_fork()
    if child == 0 {
      // Ends a round in which a call never returns, which is a violation too.
      alarm(60)
      let player = Player(scenario, fault, work.url, journal)
      player.faultyCall = number
      player.play()
      _exit(0)
    }
    var status: CInt = 0
    while waitpid(child, &status, 0) == -1 && errno == EINTR {}
    let record = faults_shared().pointee
    let isKilled = [SIGKILL, SIGXFSZ].contains(status & 0x7F) && fault.kills
    if !isKilled, status != 0 { journal.note("the process died (status \(status))") }
    check(survivor)
    let name = withUnsafeBytes(of: record.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    for line in journal.text.split(separator: "\n") {
      violations.append("\(scenario.name), \(fault.name) at call \(number) (\(name)): \(line)")
    }
    if fault.fileSizeStep != nil, fault.kills { return isKilled }
    return record.struck > 0
  }

  /// The model after the steps that the child has reached.
  private var model: Model {
    var model = Model(of: scenario)
    for (number, step) in scenario.steps.enumerated() {
      switch journal[number] {
      case .notBegun: break
      case .done: model.apply(step, number: number)
      case .begun: model.mayApply(step, number: number, inParts: scenario.layout == .files)
      case .thrown:
        if scenario.leavesOpen(step) {
          model.mayApply(step, number: number, inParts: scenario.layout == .files)
        }
      }
    }
    return model
  }

  /// Checks the files that the child has left, first with a store that was open all the time.
  private func check(_ survivor: DiskStorage<String>?) {
    let model = model
    if let survivor {
      var check = StoreCheck(scenario, model, journal, "in another process")
      check.check(survivor)
    }
    let isDamaged = scenario.strike?.damagedKey != nil
    do {
      let store = try openStore()
      var check = StoreCheck(scenario, model, journal, "opened again")
      check.check(store)
      checkWhatIsKept()
      if scenario.maxSize > 0, work.entryBytes > Int(scenario.maxSize) {
        journal.note("afterwards there are \(work.entryBytes) bytes")
      }
      try store.setObject(Data("still works".utf8), forKey: "still works", expiry: nil)
      let again = try openStore()
      if try again.object(forKey: "still works") != Data("still works".utf8) {
        journal.note("it does not work any more")
      }
      var findings = try again.verify()
      // Damaged bytes that could not be copied are still in place.
      if isDamaged, !findings.isEmpty {
        try again.repair()
        findings = try again.verify()
      }
      if !findings.isEmpty { journal.note("verify() finds \(findings)") }
      if again.totalSize != work.entryBytes {
        journal.note("it counts \(again.totalSize) bytes, and the files have \(work.entryBytes)")
      }
    } catch { journal.note("opened again: \(error)") }
    for error in reports.take() where !scenario.mayReport(error) {
      journal.note("opened again, it reports \(error)")
    }
    if !work.leftovers.isEmpty { journal.note("left behind: \(work.leftovers)") }
    if !work.damaged.isEmpty, !isDamaged, !scenario.isTorn { journal.note("set aside: \(work.damaged)") }
  }

  /// Checks that damaged bytes were only removed after they had been copied.
  private func checkWhatIsKept() {
    guard case .damaged(let key)? = scenario.strike else { return }
    for value in Model(of: scenario).values(of: key).compactMap({ $0 }) {
      // The first byte is the damaged one.
      let rest = value.bytes(of: key).dropFirst()
      if !work.damagedContents.contains(where: { $0.range(of: rest) != nil }) {
        journal.note("the bytes of \(key) are nowhere")
      }
    }
  }
}

extension Scenario {
  fileprivate var isTorn: Bool { if case .torn? = strike { true } else { false } }
}
