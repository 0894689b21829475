/// Runs `body` in a synchronous context, where overloads without `await` are chosen.
package func blocking<R>(_ body: () throws -> R) rethrows -> R { try body() }
