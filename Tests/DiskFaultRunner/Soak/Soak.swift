import CFaults
import Foundation
import Glibc
import StrataCore
import StrataDisk

/// Random rounds of processes over one folder. Some are killed, and files are deleted or moved while they run.
///
/// After each round every acknowledged entry must be there byte for byte, and no other. `verify()` must find no damage,
/// and nothing may have been reported or moved to `Damaged`. Only if a process was killed and `control` is lost, the
/// file of a write that was not finished is kept there: its record could have been lost with the end of the log.
struct Soak {
  enum Kind: String {
    /// One process is killed at a random moment. Sometimes `control` is lost too.
    case kills
    /// Three processes read, write and remove. Once or twice, one is killed, or the control file or the folder is moved
    /// or deleted.
    case processes
  }

  private enum Event: CaseIterable {
    case none, kill, controlDeleted, controlMoved, folderMoved, folderDeleted
    /// The control file is deleted, and a process is killed that may be rebuilding it.
    case rebuildKilled
  }

  let kind: Kind
  let place: URL
  private let ledger = Ledger()
  private let journal = Journal()

  init(_ kind: Kind, in place: URL) {
    self.kind = kind
    self.place = place
    _ = faults_shared()
  }

  private var store: URL { place.appending(path: "store") }

  func run(seed: UInt64, rounds: Int) throws -> [String] {
    var violations: [String] = []
    for round in 0..<rounds {
      var random = SoakRandom(seed &+ UInt64(round))
      // Several rounds use one folder, for more varied states. A round can therefore only be repeated together with the
      // rounds before it.
      if round % 10 == 0 { try begin() }
      journal.clear()
      try self.round(&random)
      violations += journal.text.split(separator: "\n").map { "round \(round) of seed \(seed): \($0)" }
      if violations.count > 10 { break }
    }
    return violations
  }

  private func begin() throws {
    ledger.clear()
    if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  }

  private func round(_ random: inout SoakRandom) throws {
    let event: Event =
      kind == .kills ? .kill : Event.allCases[random.below(Event.allCases.count)]
    let processes = kind == .kills ? 1 : 3
    let isEndless = kind == .kills
    var children: [pid_t] = []
    for number in 0..<processes {
      var writer = SoakWriter(
        folder: place, ledger: ledger, journal: journal,
        own: (0..<Ledger.keys).filter { $0 % processes == number },
        isAlone: event != .none && event != .kill,
        mayMiss: event == .folderMoved || event == .folderDeleted,
        mayKeepFiles: event == .rebuildKilled, random: SoakRandom(random.next()))
      let child = faults_fork()
      if child == 0 {
        alarm(120)
        writer.run(steps: isEndless ? .max : 150)
        _exit(0)
      }
      children.append(child)
    }
    usleep(useconds_t(random.below(kind == .kills ? 40_000 : 25_000)))
    try strike(event, children, &random)
    // Sometimes a second event follows while processes recover from the first.
    if event != .none, event != .kill, random.chance(3) {
      usleep(useconds_t(random.below(5000)))
      try strike(event, children, &random)
    }
    for (number, child) in children.enumerated() {
      var status: CInt = 0
      while waitpid(child, &status, 0) == -1 && errno == EINTR {}
      let wasKilled =
        (event == .kill || event == .rebuildKilled) && number == 0 && status & 0x7F == SIGKILL
      if status != 0, !wasKilled { journal.note("process \(number) ended with status \(status)") }
    }
    var mayKeepFiles = event == .rebuildKilled
    if kind == .kills, random.chance(4) {
      unlink(store.appending(path: "control").path)
      mayKeepFiles = true
    }
    check(event, mayKeepFiles: mayKeepFiles, &random)
    if !journal.text.isEmpty { journal.note("this was a round of: \(event)") }
  }

  private func strike(_ event: Event, _ children: [pid_t], _ random: inout SoakRandom) throws {
    let control = store.appending(path: "control").path
    switch event {
    case .none: break
    case .kill: kill(children[0], SIGKILL)
    case .controlDeleted: unlink(control)
    case .rebuildKilled:
      unlink(control)
      usleep(useconds_t(random.below(4000)))
      kill(children[0], SIGKILL)
    case .controlMoved: rename(control, place.appending(path: "control \(random.next())").path)
    case .folderMoved: rename(store.path, place.appending(path: "moved \(random.next())").path)
    case .folderDeleted:
      // The folder is renamed before it is deleted: deleting it in place would also delete files of processes that have
      // opened a new folder there.
      let gone = place.appending(path: "gone \(random.next())")
      if rename(store.path, gone.path) == 0 { try FileManager.default.removeItem(at: gone) }
    }
  }

  /// Checks the files that the children have left.
  private func check(_ event: Event, mayKeepFiles: Bool, _ random: inout SoakRandom) {
    let reports = Reports()
    let isLost = event == .folderMoved || event == .folderDeleted
    do {
      let store = try SoakWriter.open(place, reports, &random)
      for key in 0..<Ledger.keys {
        let value = try store.entryIfPresent(forKey: "\(key)")?.object
        // Entries written before the folder was lost are lost with it.
        let flaw =
          isLost
          ? Ledger.version(value, of: key) == nil ? "key \(key): a value that nobody stored" : nil
          : Ledger.flaw(value, key, from: ledger.done(key), to: ledger.begun(key))
        if let flaw { journal.note("opened again: \(flaw)") }
        // The next round continues from the current contents.
        let version = Ledger.version(value, of: key) ?? 0
        if isLost || version == 0 { settle(key, version) } else { ledger.finish(key, version) }
      }
      let findings = try store.verify().filter { $0.kind == .damaged }
      if !findings.isEmpty { journal.note("verify() finds \(findings)") }
      if try !store.repair().allSatisfy({ $0.kind == .orphaned }) { journal.note("repair() finds damage") }
      let left = try store.verify()
      if !left.isEmpty { journal.note("after repair() there is \(left)") }
    } catch { journal.note("opened again: \(error)") }
    for error in reports.take() where !(mayKeepFiles && Reports.isOfKeptFiles(error)) {
      journal.note("opened again, it reports \(error)")
    }
    let damaged = store.appending(path: "Damaged")
    if FileManager.default.fileExists(atPath: damaged.path) {
      do {
        let names = try FileManager.default.contentsOfDirectory(atPath: damaged.path)
        if mayKeepFiles, names.allSatisfy({ $0.contains(".value.") || $0.contains(".bytes.") }) {
          try FileManager.default.removeItem(at: damaged)
        } else {
          journal.note("something was set aside: \(names)")
        }
      } catch { journal.note("what was set aside cannot be listed: \(error)") }
    }
  }

  /// Makes the last begun version match the current contents: an absent key, or an older version.
  private func settle(_ key: Int, _ version: UInt32) {
    var next = ledger.begun(key)
    if version == 0 { while !Ledger.isRemoval(next) { next += 1 } }
    ledger.begin(key, next)
    ledger.finish(key, version == 0 ? next : version)
  }
}
