#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import StrataNetwork
import Synchronization

/// A client of the configured servers, shared by any number of stores. The servers can be a single server, a primary
/// with replicas, or a cluster.
///
/// ```swift
/// let redis = RedisClient(config: RedisConfig(addresses: [RedisAddress(host: "redis.internal")]))
/// let users = try RedisStorage<String>(client: redis, namespace: "users")
/// let sessions = try RedisStorage<UUID>(client: redis, namespace: "sessions", expiry: .seconds(3600))
/// ```
///
/// It connects at the first call. It then requests the topology from the servers, and again when the topology has
/// changed: a slot of a cluster has moved, or a primary was replaced.
///
/// Connections end with `close()`, or with the last store that uses them.
public final class RedisClient: Sendable {
  /// Creates the node for a server. Each of its connections must send `greeting` first.
  typealias MakeNode = @Sendable (_ address: RedisAddress, _ greeting: [RedisCommand]) -> RedisNode

  /// A server in one of its roles. Reads from a replica use separate connections.
  struct Place: Hashable, Sendable {
    let address: RedisAddress
    var isReplica = false
  }

  /// The known topology, and its version.
  struct Known: Sendable {
    var topology: Topology
    var version: Int
    /// The time at which the topology was requested.
    var date = ContinuousClock.now
    /// The node for all keys, if there is only one server and no alternative.
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

  /// The configuration of the client.
  public let config: RedisConfig
  /// How long a list of replicas is used. New replicas are not reported in any other way.
  private let replicaLife: Duration
  /// The servers' reports of changes by other clients.
  let tracking: Tracking
  let reconnections: Reconnections
  let knownDateCommand = Atomic(DateCommand.date)
  /// The number of batches to be read with expiries before the next check whether any keys expire.
  let datedBatches = Atomic(0)
  /// Whether the user may run scripts, as far as is known.
  let mayRunScripts = Atomic(true)
  /// Whether the user may run `GETSET`, as far as is known.
  let mayGetAndSet = Atomic(true)
  private let makeNode: MakeNode
  private let state = Locked(State())

  /// Creates a client. Its configuration is checked, and connections are made, at the first call.
  public convenience init(config: RedisConfig = RedisConfig()) {
    let tracking = Tracking(config.tracking)
    let fences = Locked<[RedisAddress: Fence]>([:])
    let onLoss = Locked<(@Sendable () -> Void)?>(nil)
    let reconnections = Reconnections()
    self.init(config: config, tracking: tracking, reconnections: reconnections) { address, greeting in
      // Each server has one fence, shared by all successive connections to it.
      let fence = fences.withLock { fences in
        let fence = fences[address] ?? Fence()
        fences[address] = fence
        return fence
      }
      return RedisNode(
        address: address, config: config, fence: fence, greeting: greeting, onPush: tracking.handle
      ) { change in
        guard case .down = change else { return reconnections.ready() }
        reconnections.lost()
        tracking.lost()
        onLoss.withLock { $0 }?()
      }
    }
    // Sentinels end the connections of a demoted primary.
    if config.sentinel != nil { onLoss.withLock { $0 = { [weak self] in self?.refreshAll() } } }
  }

  init(
    config: RedisConfig, tracking: Tracking = Tracking(.off), reconnections: Reconnections = Reconnections(),
    replicaLife: Duration = .seconds(10),
    makeNode: @escaping MakeNode
  ) {
    self.config = config
    self.tracking = tracking
    self.reconnections = reconnections
    self.replicaLife = replicaLife
    self.makeNode = makeNode
  }

  deinit { close() }

  /// Ends all connections. Waiting and later calls fail.
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

  /// Turns on the servers' reports of changes to keys with a prefix.
  func track(_ prefix: Data, _ listener: @escaping Tracking.Listener) {
    if !tracking.hasListeners { watchForSwaps() }
    guard tracking.add(prefix, listener) else { return }
    // Connections without tracking end when their calls in flight have ended.
    let old = state.withLock { state in
      defer { state.nodes = [:] }
      state.known?.only = nil
      return state.nodes
    }
    if !old.isEmpty { tracking.lost() }
  }

  // MARK: Servers

  /// Returns the node for a server, creating it if necessary.
  func node(_ place: Place) throws(StorageError) -> RedisNode {
    let node = state.withLock { state -> RedisNode? in
      if state.isClosed { return nil }
      if let node = state.nodes[place] { return node }
      // A cluster node that is not the primary redirects readers, unless the connection has sent READONLY.
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

  /// Returns the node for a sentinel, creating it if necessary.
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

  /// Returns the server for all keys, if there is no alternative.
  private func onlyPlace(in topology: Topology) -> Place? {
    guard case .single(let shard) = topology, config.addresses.count == 1, shard.replicas.isEmpty else {
      return nil
    }
    return Place(address: shard.primary)
  }

  /// Makes the next call to a server reconnect.
  func renew(_ place: Place) { state.withLock { $0.nodes[place] }?.renew() }

  /// The node for all keys, if there is known to be no alternative.
  var only: RedisNode? { state.withLock { $0.known?.only } }

  /// The topology if it is known, without calling a server.
  var knownAlready: Known? { state.withLock { $0.known } }

  /// Returns the known topology; requests it from the servers if there is none.
  func known() async throws -> Known {
    if let known = knownAlready { return known }
    return try await known(after: 0)
  }

  /// Returns a topology newer than `version`, which has turned out to be wrong. Concurrent callers share one discovery.
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

  /// Asks the servers for their topology again in the background.
  func refresh(_ version: Int) {
    // Errors are ignored here: callers that need the topology ask for it again, and get the error.
    Task { _ = await Result { try await known(after: version) } }
  }

  /// Asks the servers for their topology again in the background, if it was known.
  private func refreshAll() {
    if let version = knownAlready?.version { refresh(version) }
  }

  /// Asks the servers again in the background, if the list of replicas is old.
  func refreshReplicas(_ known: Known) {
    if .now - known.date < replicaLife || state.withLock({ $0.discovery != nil }) { return }
    refresh(known.version)
  }

  /// Stores a discovered topology, and releases nodes that are gone.
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
      // The nodes are returned, so that they are not released under the lock.
      return (known, isOther, gone)
    }
    // Changes of keys that were read from a server no longer in use would not be reported.
    if isOther { tracking.lost() }
    return known
  }

  /// Records the new node of a slot, and requests the rest of the topology.
  func learn(_ redirect: Redirect) {
    let version = state.withLock { state -> Int in
      guard case .cluster(var map) = state.known?.topology else { return 0 }
      map.move(redirect.slot, to: redirect.address)
      state.known?.topology = .cluster(map)
      return state.known?.version ?? 0
    }
    refresh(version)
  }

  /// The servers that may know the topology: the last known servers and the configured ones.
  var candidates: [RedisAddress] {
    let known = state.withLock { $0.known?.topology.addresses ?? [] }
    return Array(Set(known + config.addresses)).shuffled()
  }

  /// Returns a different number on each call.
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
