import Foundation
import StrataSodium

/// Creates secrets until no more memory can be locked and prints the error. Then shows that secrets can be created
/// again once the others are released.
func lockTooMuch() throws {
  // 16 pages. The limit does not apply to a superuser.
  guard Limit.lockedMemory.set(to: 65536) else { fail("the limit could not be set") }
  if geteuid() == 0, setuid(65534) != 0 { fail("the process could not give up root's rights") }
  var secrets: [Secret<String>] = []
  do {
    for number in 0..<1000 { secrets.append(try Secret("number \(number)")) }
    fail("all secrets could be created: the limit had no effect")
  } catch let error as StorageError {
    print(error)
  }
  guard secrets.count > 4, secrets.count <= 16 else { fail("there were \(secrets.count)") }
  for (number, secret) in secrets.enumerated() where try secret.reveal() != "number \(number)" {
    fail("secret number \(number) has changed")
  }
  secrets = []
  guard try Secret("again").reveal() == "again" else { fail("it is another") }
}

/// Accesses the memory of a secret in a forbidden way, and is killed for it.
func breakMemory(_ manner: String) throws {
  var secret: Secret<Data>? = try Secret.random(count: 100)
  guard let start = secret?.withBytes({ UnsafeMutableRawPointer(mutating: $0.baseAddress) }) else {
    fail("no memory could be allocated")
  }
  switch manner {
  case "write": start.storeBytes(of: 0, as: UInt8.self)
  case "overrun": print(start.load(fromByteOffset: 100, as: UInt8.self))
  case "stale":
    secret = nil
    print(start.load(as: UInt8.self))
  default: fail("unknown manner: \(manner)")
  }
  print("lived: \(secret.debugDescription)")
}
