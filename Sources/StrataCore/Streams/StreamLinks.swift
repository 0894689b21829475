extension CombinedStorage: StreamLink {}
extension HybridStorage: StreamLink {}
extension TypeWrapperStorage: StreamLink {}
extension ObservedStorage: StreamLink {}
extension AsyncObservedStorage: StreamLink {}
extension ErasedTier: StreamLink {}
extension SyncStorage: StreamLink {}
