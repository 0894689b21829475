/// A function without `await`: in it, calls are the synchronous ones.
package func blocking<R>(_ body: () throws -> R) rethrows -> R { try body() }
