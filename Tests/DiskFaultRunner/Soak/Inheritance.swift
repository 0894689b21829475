import CFaults
import Foundation
import Glibc
import StrataCore
import StrataDisk

/// A process that dies while it holds the lock, and leaves an idle forked child, which has inherited the lock's file.
enum Inheritance {
  /// Returns the violations.
  static func check(in place: URL) throws -> [String] {
    _ = faults_shared()
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { fail("pipe: errno \(errno)") }
    let parent = faults_fork()
    if parent == 0 {
      let store = try open(place)
      try store.setObject(Data("before".utf8), forKey: "k", expiry: nil)
      let idle = faults_fork()
      if idle == 0 {
        alarm(300)
        while true { pause() }
      }
      withUnsafeBytes(of: idle) { _ = write(ends[1], $0.baseAddress, $0.count) }
      faults_arm(CUnsignedInt(FAULTS_WRITE), 1, CInt(FAULTS_KILL), 0, 0)
      try store.setObject(Data("during".utf8), forKey: "k", expiry: nil)
      _exit(1)
    }
    var idle: pid_t = 0
    withUnsafeMutableBytes(of: &idle) { _ = read(ends[0], $0.baseAddress, $0.count) }
    var status: CInt = 0
    while waitpid(parent, &status, 0) == -1 && errno == EINTR {}
    defer { if idle > 0 { kill(idle, SIGKILL) } }
    if status & 0x7F != SIGKILL { return ["the parent ended with status \(status)"] }
    // Ends the check if the lock is still held, since the write would then never return.
    alarm(100)
    let store = try open(place)
    try store.setObject(Data("after".utf8), forKey: "k", expiry: nil)
    return try inheritedStore(place, store)
  }

  /// Checks that a child can use an inherited store if its parent does not.
  private static func inheritedStore(_ place: URL, _ store: DiskStorage<String>) throws -> [String] {
    let child = faults_fork()
    if child == 0 {
      alarm(100)
      try store.setObject(Data("by a child".utf8), forKey: "k", expiry: nil)
      _exit(try store.verify() == [] ? 0 : 1)
    }
    var status: CInt = 0
    while waitpid(child, &status, 0) == -1 && errno == EINTR {}
    if status != 0 { return ["the child ended with status \(status)"] }
    try store.setObject(Data("by its parent".utf8), forKey: "l", expiry: nil)
    let again = try open(place)
    let found = try (again.object(forKey: "k"), again.object(forKey: "l"))
    return found == (Data("by a child".utf8), Data("by its parent".utf8)) ? [] : ["\(found) is stored"]
  }

  private static func open(_ place: URL) throws -> DiskStorage<String> {
    try DiskStorage(config: DiskConfig(name: "store", directory: place))
  }
}
