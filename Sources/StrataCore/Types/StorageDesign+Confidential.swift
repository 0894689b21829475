extension StorageDesign {
  /// Returns the transformer that this store may use: if the store is confidential, errors contain no part of a value.
  @usableFromInline
  package func guarding<U>(_ transformer: Transformer<U>) -> Transformer<U> {
    isConfidential ? transformer.confidential() : transformer
  }
}
