public import Strata
public import StrataCore

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property that is stored under a key, with a default for as long as nothing is stored.
///
/// ```swift
/// @MainActor final class Settings {
///   @Stored("settings.name", in: texts) var name = "Ada"
/// }
/// @MainActor func rename(_ settings: Settings) { settings.name = "Grace" }
/// ```
///
/// A read is that of a ``StoredValue``, so views and `withObservationTracking` follow it, and a write is its `set`:
/// shown at once, and stored afterwards. `$name` is a binding. In a class with the macro `@Observable` the property
/// needs `@ObservationIgnored`: it is observable already.
///
/// The first read starts to observe the store. Where the store can be read without `await`, as memory in front of a
/// disk can, it also reads the stored value, and may block for that. Over any other store, such as a server or a
/// loading store, the property is its default until the value has been read, and `storedValue.phase` is `.loading`:
///
/// - A new value (`name = "Grace"`) replaces what is stored.
/// - A change in place (`name += "!"`, `window.width = 300`), or a write of the binding, waits for what is stored. It
///   is made if nothing is stored, or a value that equals the default. Otherwise the stored value stays, and the phase
///   has the error `.notYetRead`.
/// - ``update(_:)`` waits for what is stored, and is made on it.
///
/// In a view it is a `DynamicProperty`: it keeps its ``StoredValue`` as long as the view lasts, unless the key or the
/// store is another one.
@propertyWrapper
public struct Stored<Value: Sendable> {
  private let fallback: Value
  private var model: StoredModel<Value>
  #if canImport(SwiftUI)
    @State private var first = StoredModel<Value>.Keeper()
  #endif

  /// Creates the property of a key.
  public init<Key>(wrappedValue: Value, _ key: Key, in store: some StorageAware<Key, Value>) {
    fallback = wrappedValue
    model = StoredModel(key, store) { StoredValue(StoredSource(store, key: key), mayBlock: true) }
  }

  /// Creates the property of a key in a store of another type, as a view of it: one store keeps settings of many types.
  @_disfavoredOverload
  public init<Key, Other>(wrappedValue: Value, _ key: Key, in store: Storage<Key, Other>)
  where Value: Codable {
    fallback = wrappedValue
    model = StoredModel(key, store) {
      StoredValue(StoredSource(store.transform(to: Value.self), key: key), mayBlock: true)
    }
  }

  /// Creates the property of a key in an asynchronous store of another type, as a view of it.
  @_disfavoredOverload
  public init<Key, Other>(wrappedValue: Value, _ key: Key, in store: AsyncStorage<Key, Other>)
  where Value: Codable {
    fallback = wrappedValue
    model = StoredModel(key, store) {
      StoredValue(StoredSource(store.transform(to: Value.self), key: key), mayBlock: true)
    }
  }

  /// The stored value, or the default.
  @MainActor
  public var wrappedValue: Value {
    get { model.value.value ?? fallback }
    nonmutating set { model.value.set(newValue) }
    nonmutating _modify {
      var value = model.value.value ?? fallback
      defer { model.value.change(from: fallback, to: value) }
      yield &value
    }
  }

  /// Changes the stored value or, if nothing is stored, the default, which is then stored. Waits for the value if it
  /// has not been read yet. Shows the new value when it is stored; an error becomes the phase.
  ///
  /// ```swift
  /// @MainActor final class Launches {
  ///   @Stored("launches", in: counters) var count = 0
  ///   func add() { _count.update { $0 += 1 } }
  /// }
  /// ```
  @MainActor
  public func update(_ modify: @escaping @Sendable (inout Value) throws -> Void) {
    model.value.update(default: fallback, modify)
  }

  /// A binding of the value.
  @MainActor
  public var projectedValue: StoredBinding<Value> { model.value.binding(default: fallback) }

  /// The observed value, with its phase: `_name.storedValue` inside the type that has the property.
  @MainActor
  public var storedValue: StoredValue<Value> { model.value }
}

#if canImport(SwiftUI)
  extension Stored: DynamicProperty {
    /// Takes the value that this place in the view had before.
    public mutating func update() {
      let (first, now) = (first, model)
      model = MainActor.assumeIsolated { first.model(or: now) }
    }
  }
#endif

/// The value of a property, made when it is first read: a view that is described anew makes properties that are never
/// read.
@MainActor
final class StoredModel<Value: Sendable> {
  private let key: any Sendable & Hashable
  private let store: ObjectIdentifier?
  private let make: @MainActor @Sendable () -> StoredValue<Value>
  private(set) lazy var value = make()

  nonisolated init<Key>(
    _ key: Key, _ store: some StorageAware<Key, some Any>,
    _ make: @escaping @MainActor @Sendable () -> StoredValue<Value>
  ) {
    self.key = key
    self.store = type(of: store) is AnyClass ? ObjectIdentifier(store as AnyObject) : nil
    self.make = make
  }

  /// Keeps the first value of a place in a view.
  @MainActor
  final class Keeper {
    private var kept: StoredModel?

    nonisolated init() {}

    /// Returns the model that is kept, or keeps another one if it has another key or store.
    func model(or now: StoredModel) -> StoredModel {
      if let kept, AnyHashable(kept.key) == AnyHashable(now.key), kept.store == now.store { return kept }
      kept = now
      return now
    }
  }
}
