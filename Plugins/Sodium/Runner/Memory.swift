import Foundation
import StrataSodium

/// Creates secrets until no more memory can be locked and prints the error. Then shows that secrets can be created
/// again once the others are released.
func lockTooMuch() throws {
  // 16 pages. For a superuser there is no limit.
  guard Limit.lockedMemory.set(to: 65536) else { fail("the limit could not be set") }
  if geteuid() == 0, setuid(65534) != 0 { fail("root could not be left") }
  var secrets: [Secret<String>] = []
  do {
    for number in 0..<1000 { secrets.append(try Secret("number \(number)")) }
    fail("there was no limit")
  } catch let error as StorageError {
    print(error)
  }
  guard secrets.count > 4, secrets.count <= 16 else { fail("there were \(secrets.count)") }
  for (number, secret) in secrets.enumerated() where try secret.reveal() != "number \(number)" {
    fail("number \(number) is another")
  }
  secrets = []
  guard try Secret("again").reveal() == "again" else { fail("it is another") }
}

/// Accesses the memory of a secret in a forbidden way, and is killed for it.
func breakMemory(_ manner: String) throws {
  var secret: Secret<Data>? = try Secret.random(count: 100)
  guard let start = secret?.withBytes({ UnsafeMutableRawPointer(mutating: $0.baseAddress) }) else {
    fail("there is no memory")
  }
  switch manner {
  case "write": start.storeBytes(of: 0, as: UInt8.self)
  case "overrun": print(start.load(fromByteOffset: 100, as: UInt8.self))
  case "stale":
    secret = nil
    print(start.load(as: UInt8.self))
  default: fail("nothing is done in the manner \(manner)")
  }
  print("lived: \(secret.debugDescription)")
}
