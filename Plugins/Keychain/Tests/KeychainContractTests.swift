import Foundation
import StrataKeychain
import StrataTestKit
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The contract of the test kit, in each keychain.
@Suite(.endsInTime) struct KeychainContractTests {
  @Test(arguments: Contract.brief())
  func aVaultKeeps(_ promise: Contract) async throws {
    let subject = Subject("a vault", except: [.sortedKeys], expiryResolution: 1e-6) { place in
      let path = place.path + "/secrets.vault"
      // The kit makes files readable for other users, which a vault refuses. Its owner restores the mode.
      chmod(path, 0o600)
      let key = try [UInt8](repeating: 7, count: 32).withUnsafeBytes { try SecretKey(bytes: $0) }
      return KeychainAccounts<String>(
        service: "kit", in: .vault(path, key: .key(key)), expiry: place.expiry, clock: place.clock)
    } awaited: { store in
      Self.awaited(store)
    }
    try await promise.check(subject)
  }

  private static func awaited(_ store: KeychainAccounts<String>) -> AwaitedCalls {
    AwaitedCalls(
      expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
      removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
      replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
      entries: { try await store.entries(forKeys: $0) },
      setObjects: { try await store.setObjects($0, expiry: $1) },
      removeObjects: { try await store.removeObjects(forKeys: $0) })
  }

  #if os(Linux)
    @Test(
      .enabled(if: KernelSupport.isPermitted, "the kernel permits no keyring here"),
      arguments: Contract.brief(number: 1))
    func theKernelsKeyringKeeps(_ promise: Contract) async throws {
      try await Self.checkKernel(promise)
    }

    /// - Parameter excepted: Checks to omit, in addition to the checks that no keyring supports.
    static func checkKernel(_ promise: Contract, except excepted: Set<Contract> = [.manyKeys]) async throws {
      // A keyring stores one key at a time, has no files, and no space for megabytes.
      var except = excepted.union([.sortedKeys, .atomicBatches, .anyValue, .fullDisk, .readOnlyFolder])
      // These checks write more than 32 kB.
      if !KernelSupport.hasLargeKeys { except.formUnion([.overwriting, .anyKey, .reopening]) }
      let services = Locked<Set<String>>([])
      defer {
        for service in services.withLock({ $0 }) {
          #expect(throws: Never.self) {
            try KeychainAccounts<String>(service: service, in: .kernel()).removeAll()
          }
        }
      }
      let subject = Subject(
        "the kernel", except: except, expiryResolution: 1e-6,
        hugeValueSize: KernelSupport.hasLargeKeys ? 1 << 19 : 32_000
      ) { place in
        services.withLock { _ = $0.insert(place.path) }
        return KeychainAccounts<String>(
          service: place.path, in: .kernel(), expiry: place.expiry, clock: place.clock)
      } awaited: { store in
        awaited(store)
      }
      try await promise.check(subject)
    }

    @Test(
      .enabled(
        if: SecretSession.areProgramsInstalled, "dbus-daemon or gnome-keyring-daemon is not installed"),
      arguments: promisesOfTheSecretService)
    func theSecretServiceKeeps(_ promise: Contract) async throws {
      try await Self.checkSecretService(promise)
    }

    /// The checks that store so many items that the daemon, which encrypts all of them for each change, takes most of
    /// the time of the whole contract. Other tests store names and values of many kinds, and the vault keeps
    /// `bothWorlds` with the same type. `make soak` runs these.
    static let slowPromises: [Contract] = [.anyKey, .anyValue, .bothWorlds, .parallelKeys, .sweeping]

    /// The checks that take two thirds of the rest of that time, for the same reason: `make test` runs one of them.
    private static let costlyPromises: [Contract] = [
      .resources, .survivingKill, .reopening, .severalProcesses,
    ]
    private static let promisesOfTheSecretService =
      Contract.brief(number: 2).filter { !slowPromises.contains($0) && !costlyPromises.contains($0) }
      + Soak.sample(costlyPromises, oneIn: 4)

    /// - Parameter batchSize: Small, since the daemon rewrites its file for each secret: a batch takes quadratic time.
    static func checkSecretService(_ promise: Contract, batchSize: Int = 40) async throws {
      // The daemon's file has its own permissions, and the daemon locks all of it in memory.
      let except: Set<Contract> = [.sortedKeys, .atomicBatches, .manyKeys, .fullDisk, .readOnlyFolder]
      // Each part of the contract uses a new daemon, which gets slower with each stored item.
      let bus = try await CheckFixture("bus-\(promise)", note: \.address) { try SecretSession() }
      let subject = Subject(
        "the Secret Service", except: except, expiryResolution: 1e-6, hugeValueSize: 1 << 20,
        batchSize: batchSize
      ) { place in
        KeychainAccounts<String>(
          service: place.path, in: .secretService(collection: nil, mayPrompt: false, bus: bus.note),
          expiry: place.expiry, clock: place.clock)
      } awaited: { store in
        awaited(store)
      }
      try await promise.check(subject)
    }
  #endif
}

#if os(Linux)
  /// Tests that take a keychain minutes: a hundred thousand keys in the kernel, and a batch of more than a thousand.
  @Suite(.endsInTime, .enabled(if: Soak.isOn, "`make soak` runs it")) struct KeychainContractSoakTests {
    @Test(.enabled(if: KernelSupport.isPermitted, "the kernel permits no keyring here"))
    func theKernelsKeyringKeepsManyKeys() async throws {
      try await KeychainContractTests.checkKernel(.manyKeys, except: [])
    }

    @Test(
      .enabled(
        if: SecretSession.areProgramsInstalled, "dbus-daemon or gnome-keyring-daemon is not installed"),
      arguments: KeychainContractTests.slowPromises)
    func theSecretServiceKeepsItsSlowPromises(_ promise: Contract) async throws {
      try await KeychainContractTests.checkSecretService(promise)
    }

    @Test(
      .enabled(
        if: SecretSession.areProgramsInstalled, "dbus-daemon or gnome-keyring-daemon is not installed"))
    func theSecretServiceKeepsALargeBatch() async throws {
      try await KeychainContractTests.checkSecretService(.batches, batchSize: 1200)
    }
  }
#endif
