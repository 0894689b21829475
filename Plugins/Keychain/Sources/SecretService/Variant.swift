#if os(Linux)
  internal import CSecret

  /// A D-Bus value. Its reference is released when it goes out of scope.
  struct Variant: ~Copyable {
    let value: OpaquePointer

    /// Takes over a reference.
    init(owning value: OpaquePointer) { self.value = value }

    deinit { g_variant_unref(value) }

    var count: Int { Int(g_variant_n_children(value)) }

    subscript(index: Int) -> Variant { Variant(owning: g_variant_get_child_value(value, gsize(index))) }

    var text: String { String(cString: g_variant_get_string(value, nil)) }

    var isTrue: Bool { g_variant_get_boolean(value) != 0 }

    /// The value that this variant wraps.
    var unboxed: Variant { Variant(owning: g_variant_get_variant(value)) }

    /// Returns a dictionary of texts to be sent, with a floating reference.
    static func texts(_ texts: [(String, String)]) -> OpaquePointer? {
      let entries = texts.map { g_variant_new_dict_entry(g_variant_new_string($0), g_variant_new_string($1)) }
      return array(entries)
    }

    /// Returns an array of objects' paths to be sent, with a floating reference.
    static func paths(_ paths: [String]) -> OpaquePointer? {
      array(paths.map { g_variant_new_object_path($0) })
    }

    static func tuple(_ values: [OpaquePointer?]) -> OpaquePointer? {
      values.withUnsafeBufferPointer { g_variant_new_tuple($0.baseAddress, gsize($0.count)) }
    }

    /// Returns an array of values of one type. There must be at least one.
    private static func array(_ values: [OpaquePointer?]) -> OpaquePointer? {
      values.withUnsafeBufferPointer { g_variant_new_array(nil, $0.baseAddress, gsize($0.count)) }
    }
  }
#endif
