/// A store that orders its own operations, so that its `coordinator` is `nil`, and still shares in-flight loads.
package protocol LoadSharing<Key>: Sendable {
  associatedtype Key: Hashable & Sendable

  /// The in-flight loads of all views of the store.
  var sharedLoads: SharedLoads<Key> { get }
}

extension SyncStorage: LoadSharing {
  package var sharedLoads: SharedLoads<Key> { meetingPoint.loads }
}
