extension Trial {
  func severalProcesses() async throws {
    throw CannotCheck("the check of this promise comes with the next commits")
  }
  func survivingKill() async throws {
    throw CannotCheck("the check of this promise comes with the next commits")
  }
  func fullDisk() async throws { throw CannotCheck("the check of this promise comes with the next commits") }
  func readOnlyFolder() async throws {
    throw CannotCheck("the check of this promise comes with the next commits")
  }
}
