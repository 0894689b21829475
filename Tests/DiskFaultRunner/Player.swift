import CFaults
import Foundation
import StrataCore
import StrataDisk

/// Opens the store of a scenario, runs the scenario's steps, and checks the results.
final class Player {
  let scenario: Scenario
  let fault: Fault
  private var wasOver = false
  let folder: URL
  let journal: Journal
  private let reports = Reports()
  private(set) var model: Model
  private(set) var store: DiskStorage<String>?

  init(_ scenario: Scenario, _ fault: Fault, _ folder: URL, _ journal: Journal) {
    self.scenario = scenario
    self.fault = fault
    self.folder = folder
    self.journal = journal
    model = Model(of: scenario)
  }

  /// Runs all steps, then ends the fault and checks the stored entries.
  func play() {
    if scenario.hasStreams { prepareForStreams() }
    let files = openFiles()
    if let step = fault.fileSizeStep {
      limitFileSize(faultyCall * step)
    } else {
      faults_arm(CUnsignedInt(fault.kinds), faultyCall, CInt(fault.action), fault.error, fault.goesOn ? 1 : 0)
    }
    attempt("opening") { _ in try openStore() }
    for (number, step) in scenario.steps.enumerated() { play(step, number) }
    faults_disarm()
    if fault.kills { return }
    if fault.fileSizeStep != nil {
      limitFileSize(nil)
      if scenario.steps.indices.contains(where: { journal[$0] == .thrown }) {
        faults_shared().pointee.struck = 1
      }
    }
    checkEnd()
    store = nil
    var opened = openFiles() - files
    // A thread that has just finished a job for the store may still refer to it.
    for _ in 0..<1000 where opened > 0 {
      usleep(1000)
      opened = openFiles() - files
    }
    // The number may be negative if other stores' descriptors were closed.
    if opened > 0 { journal.note("\(opened) descriptors were left open") }
  }

  /// The number of the faulty call.
  var faultyCall = 0

  /// Limits the length of files: a longer write fails, or a signal kills the process.
  private func limitFileSize(_ size: Int?) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(1), &limit)
    limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
    signal(SIGXFSZ, fault.kills ? SIG_DFL : SIG_IGN)
    // The parent process may have blocked the signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    faults_shared().pointee.struck = 0
    if setrlimit(__rlimit_resource_t(1), &limit) != 0 { note("setrlimit: errno \(errno)") }
  }

  private func openStore() throws {
    store = nil
    store = try scenario.open(folder, reports)
  }

  private func play(_ step: Step, _ number: Int) {
    journal[number] = .begun
    let isDone = attempt("step \(number) (\(step))") { aim in
      if store == nil { try openStore() }
      guard let store else { return }
      switch step {
      case .set(let sizes):
        let values = Dictionary(
          uniqueKeysWithValues: sizes.map { ($0, Value(size: $1, seed: number).bytes(of: $0)) })
        if let (key, value) = values.first, values.count == 1 {
          try store.setObject(value, forKey: key, expiry: nil)
        } else {
          try store.setObjects(values, expiry: nil)
        }
      case .stream(let key, let size):
        try store.write(Value(size: size, seed: number).bytes(of: key), asStreamOf: key)
      case .remove(let keys):
        if keys.count == 1 {
          try store.removeObject(forKey: keys[0])
        } else {
          try store.removeObjects(forKeys: keys)
        }
      case .removeAll: try store.removeAll()
      case .read(let key): check(try store.entryIfPresent(forKey: key)?.object, key, aim)
      case .readMany(let keys):
        let found = try store.entries(forKeys: keys)
        for key in keys { check(found[key]?.object, key, aim) }
      case .keys: checkKeys(try store.keys(), aim)
      case .sweep: try store.removeExpiredObjects()
      case .measure: _ = store.totalSize
      case .repair: try store.repair()
      case .reopen: try openStore()
      }
    }
    if isDone {
      journal[number] = .done
      model.apply(step, number: number)
      checkLimit("after step \(number)")
    } else {
      journal[number] = .thrown
      checkLeftovers("after step \(number)")
      if scenario.leavesOpen(step) {
        model.mayApply(step, number: number, inParts: scenario.layout == .files)
      }
    }
  }

  @discardableResult
  private func attempt(_ aim: String, _ body: (String) throws -> Void) -> Bool {
    defer { for error in reports.take() { check(error, "a report in \(aim)") } }
    do {
      try body(aim)
      return true
    } catch {
      if fault.isInvisible, (error as? StorageError).map(scenario.mayReport) != true {
        note("\(aim) threw \(error)")
      } else {
        check(error, aim)
      }
      return false
    }
  }

  func note(_ violation: String) {
    faults_pause()
    journal.note(violation)
    faults_resume()
  }

  /// Checks that an error says what failed and where.
  private func check(_ error: any Error, _ aim: String) {
    guard let error = error as? StorageError else {
      return note("\(aim) threw \(error), which is no StorageError")
    }
    if scenario.mayReport(error) { return }
    if error != .backendFailed { return note("\(aim): \(error)") }
    let reason = String(cString: strerror(fault.error))
    if !"\(error)".contains(reason) { note("\(aim): it does not say \"\(reason)\": \(error)") }
    if error.place == nil { note("\(aim): it does not say where: \(error)") }
  }

  private func check(_ found: Data?, _ key: String, _ aim: String) {
    let allowed = model.values(of: key)
    if found == nil, scenario.evicts || allowed.contains(nil) { return }
    if let found, allowed.contains(where: { $0?.bytes(of: key) == found }) { return }
    note(
      "\(aim): \(key) holds \(found.map { "other bytes (\($0.count))" } ?? "nothing"), not one of \(allowed)")
  }

  private func checkKeys(_ found: [String], _ aim: String) {
    let extra = Set(found).filter { model.values(of: $0).allSatisfy { $0 == nil } }
    let missing = model.keys.filter { !found.contains($0) && !model.values(of: $0).contains(nil) }
    if !extra.isEmpty { note("\(aim): keys() lists \(extra), which are not stored") }
    if !missing.isEmpty, !scenario.evicts { note("\(aim): keys() does not list \(missing)") }
  }

  /// Checks that a failed call has deleted its temporary files. Files that could not be deleted, and files of other
  /// processes, remain until the store is opened again.
  private func checkLeftovers(_ aim: String) {
    if fault.kinds & FAULTS_UNLINK != 0 || scenario.strike != nil { return }
    faults_pause()
    let left = Folder(folder).leftovers
    if !left.isEmpty { journal.note("\(aim): left behind: \(left)") }
    faults_resume()
  }

  /// Checks the limit after a write. If the system has refused to delete a file, the limit may be exceeded by that file
  /// until the next write, which tries again.
  private func checkLimit(_ aim: String) {
    guard scenario.maxSize > 0 else { return }
    faults_pause()
    let size = Folder(folder).entryBytes
    let isOver = size > Int(scenario.maxSize)
    if isOver, wasOver || fault.kinds & FAULTS_UNLINK == 0 || fault.kills {
      journal.note("\(aim): \(size) bytes, more than \(scenario.maxSize)")
    }
    wasOver = isOver
    faults_resume()
  }

  /// Checks, after the fault has ended, that the same store has all entries and works.
  private func checkEnd() {
    do {
      if store == nil { try openStore() }
      guard let store else { return }
      var checker = StoreCheck(scenario, model, journal, "in the same process")
      checker.check(store)
      try store.setObject(Data("afterwards".utf8), forKey: "afterwards", expiry: nil)
      if try store.object(forKey: "afterwards") != Data("afterwards".utf8) {
        journal.note("it cannot be written to")
      }
      try store.removeObject(forKey: "afterwards")
      for error in reports.take() where !scenario.mayReport(error) {
        journal.note("afterwards, it reports \(error)")
      }
    } catch { journal.note("when nothing went wrong any more: \(error)") }
  }
}

extension Scenario {
  /// Returns whether a step that throws may have taken effect. After a failed sync, the contents of the disk are
  /// unknown.
  func leavesOpen(_ step: Step) -> Bool {
    if durability == .power { return true }
    switch step {
    case .set(let sizes): return layout == .files && sizes.count > 1
    case .remove(let keys): return layout == .files && keys.count > 1
    case .removeAll: return true
    default: return false
    }
  }
}

/// Returns the number of open descriptors of this process, without those of the runtime's timers.
func openFiles() -> Int {
  (0..<1024).count { number in
    if fcntl(CInt(number), F_GETFD) == -1 { return false }
    var name = [CChar](repeating: 0, count: 10)
    let count = readlink("/proc/self/fd/\(number)", &name, name.count)
    return String(decoding: name.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      != "anon_inode"
  }
}
