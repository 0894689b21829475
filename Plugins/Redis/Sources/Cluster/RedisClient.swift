#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// The servers of a configuration, as any number of stores use them together: one alone, one with replicas, or a
/// cluster.
///
/// ```swift
/// let redis = RedisClient(config: RedisConfig(addresses: [RedisAddress(host: "redis.internal")]))
/// let users = try RedisStorage<String>(client: redis, namespace: "users")
/// let sessions = try RedisStorage<UUID>(client: redis, namespace: "sessions", expiry: .seconds(3600))
/// ```
///
/// Nothing is connected to before the first call. Which kind of servers they are is asked of them then, and again when
/// they turn out to have changed: a slot of a cluster that has moved, a primary that fell and was replaced.
///
/// Connections end with `close()`, or with the last store that uses them.
public final class RedisClient: Sendable {
  /// Makes the connections to a server; `greeting` is what each of them has to begin with.
  typealias MakeNode = @Sendable (_ address: RedisAddress, _ greeting: [RedisCommand]) -> RedisNode

  /// A server in one of its parts. One that is read as a replica has connections of its own for that.
  struct Place: Hashable, Sendable {
    let address: RedisAddress
    var isReplica = false
  }

  /// What is known of the servers, and the how-manieth version of it that is.
  struct Known: Sendable {
    var topology: Topology
    var version: Int
    /// When they were asked.
    var date = ContinuousClock.now
    /// The server, if there is one for everything and no other to turn to.
    var only: RedisNode?
  }

  private struct State {
    var known: Known?
    var nodes: [Place: RedisNode] = [:]
    var sentinels: [RedisAddress: RedisNode] = [:]
    var discovery: Task<Known, any Error>?
    var turns = 0
    var isClosed = false
  }

  /// The configuration that it was made with.
  public let config: RedisConfig
  /// For how long the replicas are taken for those that there are. Nothing else tells of a new one.
  private let replicaLife: Duration
  /// What the servers say that others have changed.
  let tracking: Tracking
  /// Whether all servers can tell a date.
  let knowsDates = Atomic(true)
  /// How many batches are to be read with their dates, until it is looked again whether there are any.
  let datedBatches = Atomic(0)
  private let makeNode: MakeNode
  private let state = Locked(State())

  /// Describes a client. Nothing is checked, and nobody is connected to, before the first call.
  public convenience init(config: RedisConfig = RedisConfig()) {
    let tracking = Tracking(config.tracking)
    let fences = Locked<[RedisAddress: Fence]>([:])
    let onLoss = Locked<(@Sendable () -> Void)?>(nil)
    self.init(config: config, tracking: tracking) { address, greeting in
      // Of a server, whichever connections there are to it one after the other.
      let fence = fences.withLock { fences in
        let fence = fences[address] ?? Fence()
        fences[address] = fence
        return fence
      }
      return RedisNode(
        address: address, config: config, fence: fence, greeting: greeting, onPush: tracking.hear
      ) { change in
        guard case .down = change else { return }
        tracking.lost()
        onLoss.withLock { $0 }?()
      }
    }
    // Sentinels end the connections of a primary that is none any more.
    if config.sentinel != nil { onLoss.withLock { $0 = { [weak self] in self?.doubtAll() } } }
  }

  init(
    config: RedisConfig, tracking: Tracking = Tracking(.off), replicaLife: Duration = .seconds(10),
    makeNode: @escaping MakeNode
  ) {
    self.config = config
    self.tracking = tracking
    self.replicaLife = replicaLife
    self.makeNode = makeNode
  }

  deinit { close() }

  /// Ends all connections. Calls that wait, and all later ones, fail.
  public func close() {
    let nodes = state.withLock { state in
      state.isClosed = true
      state.discovery?.cancel()
      defer {
        state.nodes = [:]
        state.sentinels = [:]
      }
      return Array(state.nodes.values) + state.sentinels.values
    }
    for node in nodes { node.close() }
  }

  /// Has the servers tell what others change among the keys with a prefix.
  func track(_ prefix: Data, _ listener: @escaping Tracking.Listener) {
    if !tracking.hasListeners { watchForSwaps() }
    guard tracking.add(prefix, listener) else { return }
    // Connections that have not asked for it end with the calls that use them.
    let old = state.withLock { state in
      defer { state.nodes = [:] }
      state.known?.only = nil
      return state.nodes
    }
    if !old.isEmpty { tracking.lost() }
  }

  // MARK: Servers

  /// The connections to a server.
  func node(_ place: Place) throws(StorageError) -> RedisNode {
    let node = state.withLock { state -> RedisNode? in
      if state.isClosed { return nil }
      if let node = state.nodes[place] { return node }
      // A node of a cluster that is not the primary sends readers away, unless it is told that they know.
      let isNodeOfCluster = state.known?.topology.isCluster == true
      let greeting = place.isReplica && isNodeOfCluster ? [RedisCommand("READONLY", keyIndex: nil)] : []
      let node = makeNode(place.address, greeting + tracking.greeting)
      state.nodes[place] = node
      if let topology = state.known?.topology, place == onlyPlace(in: topology) { state.known?.only = node }
      return node
    }
    guard let node else { throw .closed(place.address) }
    return node
  }

  /// The connections to a sentinel.
  func sentinel(_ address: RedisAddress, _ config: RedisConfig) throws(StorageError) -> RedisNode {
    let node = state.withLock { state -> RedisNode? in
      if state.isClosed { return nil }
      let node = state.sentinels[address] ?? RedisNode(address: address, config: config)
      state.sentinels[address] = node
      return node
    }
    guard let node else { throw .closed(address) }
    return node
  }

  /// The server that is asked for everything, if there is no other to turn to.
  private func onlyPlace(in topology: Topology) -> Place? {
    guard case .single(let shard) = topology, config.addresses.count == 1, shard.replicas.isEmpty else {
      return nil
    }
    return Place(address: shard.primary)
  }

  /// Has the next call to a server connect anew.
  func renew(_ place: Place) { state.withLock { $0.nodes[place] }?.renew() }

  /// The server that is asked for everything, if it is known that there is no other to turn to.
  var only: RedisNode? { state.withLock { $0.known?.only } }

  /// What is known of the servers, if anything is.
  var knownAlready: Known? { state.withLock { $0.known } }

  /// What is known of the servers; asks them if nothing is.
  func known() async throws -> Known {
    if let known = knownAlready { return known }
    return try await known(after: 0)
  }

  /// What is known of the servers, asked of them after that version was known to be wrong. Callers that ask at once ask
  /// together.
  func known(after version: Int) async throws -> Known {
    let task = state.withLock { state -> Task<Known, any Error>? in
      if let known = state.known, known.version > version { return Task { known } }
      if let running = state.discovery { return running }
      if state.isClosed { return nil }
      let task = Task { [self] in
        let result = await Result { try await discover() }
        return try learn(result)
      }
      state.discovery = task
      return task
    }
    guard let task else { throw StorageError.closed(config.servers.first) }
    return try await task.value
  }

  /// Asks the servers anew, without waiting for the answer.
  func doubt(_ version: Int) {
    // Whoever needs the answer will ask for it, and get the failure.
    Task { _ = await Result { try await known(after: version) } }
  }

  /// Asks the servers anew, without waiting for the answer, if they were asked before.
  private func doubtAll() {
    if let version = knownAlready?.version { doubt(version) }
  }

  /// Asks the servers anew, without waiting for the answer, if what is known of their replicas is old.
  func refreshReplicas(_ known: Known) {
    if .now - known.date < replicaLife || state.withLock({ $0.discovery != nil }) { return }
    doubt(known.version)
  }

  /// Takes up what was found out, and lets go of servers that are no more.
  private func learn(_ result: Result<Topology, any Error>) throws -> Known {
    let (known, isOther, _) = try state.withLock { state in
      state.discovery = nil
      let topology = try result.get()
      let isOther = state.known.map { $0.topology != topology } ?? false
      var known = Known(topology: topology, version: (state.known?.version ?? 0) + 1)
      if let only = onlyPlace(in: topology) { known.only = state.nodes[only] }
      state.known = known
      let addresses = Set(topology.addresses + config.addresses)
      let gone = state.nodes.filter { !addresses.contains($0.key.address) }
      for place in gone.keys { state.nodes[place] = nil }
      // Handed out, so that they do not end under the lock.
      return (known, isOther, gone)
    }
    // What was read from a server that is not asked any more changes unheard.
    if isOther { tracking.lost() }
    return known
  }

  /// Notes where a slot is now, and asks for the rest.
  func learn(_ redirect: Redirect) {
    let version = state.withLock { state -> Int in
      guard case .cluster(var map) = state.known?.topology else { return 0 }
      map.move(redirect.slot, to: redirect.address)
      state.known?.topology = .cluster(map)
      return state.known?.version ?? 0
    }
    doubt(version)
  }

  /// The servers that may know which there are: those that were known last, and those of the configuration.
  var candidates: [RedisAddress] {
    let known = state.withLock { $0.known?.topology.addresses ?? [] }
    return Array(Set(known + config.addresses)).shuffled()
  }

  /// A number that is another one each time.
  func turn() -> Int {
    state.withLock { state in
      state.turns &+= 1
      return state.turns
    }
  }
}

extension Result where Failure == any Error, Success: Sendable {
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
