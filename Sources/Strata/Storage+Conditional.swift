import StrataCore

// `setIfAbsent` and `touch` are atomic: both stores change a key in its turn.
extension Storage: SyncConditionalStorage {}
extension AsyncStorage: ConditionalStorage {}
