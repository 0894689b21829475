import Foundation
import Strata
import StrataSodium

/// A cache of patients' records on a disk that others can read: its contents, who can read them, and what happens after
/// tampering or a key rotation.
@main
struct EncryptedCacheExample {
  struct Patient: Codable, Equatable {
    var name: String
    var findings: [String]
  }

  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "strata-encrypted-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { print(removed(folder)) }

    // The key is in a file that only this user can read, and in the program in memory that is locked and wiped.
    let keyFile = folder.appending(path: "key").path
    try SecretKey().write(toFile: keyFile)
    let ring = KeyRing(try SecretKey(file: keyFile))

    let disk = try DiskStorage<String>(config: DiskConfig(name: "patients", directory: folder))
    let encrypted = disk.encrypted(with: ring, domain: "patients")
    let patients = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: encrypted, transformer: .codable(Patient.self))

    let ada = Patient(name: "Ada", findings: ["needs more rest"])
    try patients.setObject(ada, forKey: "p-1")
    try patients.setObject(Patient(name: "Grace", findings: []), forKey: "p-2")
    print("Stored and read again:  \(try patients.object(forKey: "p-1").name)")

    // The bytes on disk.
    let sealed = try disk.object(forKey: "p-1")
    print("On the disk is \"Ada\":    \(sealed.range(of: Data("Ada".utf8)) != nil)")

    // An attacker with access to the disk, but without a key, gives one patient the record of another.
    try disk.setObject(sealed, forKey: "p-2")
    try patients.removeInMemoryObject(forKey: "p-2")
    do {
      print("Read: \(try patients.object(forKey: "p-2"))")
    } catch EncryptorError.failedToDecrypt {
      print("A record of another:    refused")
    }
    try patients.removeObject(forKey: "p-2")

    // A new key encrypts from now on. The old key's records are encrypted again; then the old key is removed.
    let old = ring.newest
    ring.rotate(adding: try SecretKey())
    let done = try encrypted.reencrypt()
    ring.removeOlder()
    try patients.removeInMemoryObject(forKey: "p-1")
    print(
      "After a change of keys: \(try patients.object(forKey: "p-1") == ada), \(done.rewritten) encrypted again"
    )
    do {
      _ = try disk.encrypted(with: old, domain: "patients").object(forKey: "p-1")
    } catch EncryptorError.failedToDecrypt {
      print("With the old key:       refused")
    }

    // A token that is never in ordinary memory until it is revealed.
    let tokens = Storage(
      front: MemoryStorage<String, TypeWrapper>(),
      back: try DiskStorage<String>(config: DiskConfig(name: "tokens", directory: folder)),
      transformer: .secret(Data.self, with: ring, for: "tokens"))
    try tokens.setObject(Secret.random(count: 32), forKey: "registry")
    print("A secret shows itself:  \(try tokens.object(forKey: "registry"))")

    // An inbox: a web form can store letters, but only the doctor can read them.
    let doctor = try KeyPair()
    let letters = try DiskStorage<Int>(config: DiskConfig(name: "letters", directory: folder))
    let form = letters.encrypted(with: doctor.publicKey, domain: "letters").transform(to: String.self)
    try form.setObject("Please call me.", forKey: 1)
    do { _ = try form.object(forKey: 1) } catch EncryptorError.failedToDecrypt {
      print("The form reads it:      refused")
    }
    let desk = letters.encrypted(with: doctor, domain: "letters").transform(to: String.self)
    print("The doctor reads:       \(try desk.object(forKey: 1))")
  }

  static func removed(_ folder: URL) -> String {
    do {
      try FileManager.default.removeItem(at: folder)
      return "Nothing is left."
    } catch { return "Left behind: \(folder.path), since \(error)" }
  }
}
