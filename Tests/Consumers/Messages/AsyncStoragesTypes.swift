import Strata

// Types of AsyncStorages without the aliases of its guide. The text after `says:` is part of the compiler's error for
// the line, as Tests/Scripts/names.sh checks. The guide says what to write instead.

struct MyStorage: Storage {}  // says: reference to generic type 'Storage' requires arguments in <...>
func made() -> some Storage<String, Int> { store }  // says: inherit from 'Storage<String, Int>'
func taken(_ store: any Storage<String, Int>) {}  // says: 'any' has no effect on concrete type
func read(_ store: ReadOnlyStorage<String, Int>) {}  // says: specialized with too many type parameters
func write(_ store: WriteOnlyStorage<String, Int>) {}  // says: specialized with too many type parameters
func isAbsent(_ error: any Error) -> Bool {
  error is MemoryStorageValueMissingForKey<String>  // says: `case StorageError.notFound:`
}
func log() { ShallowsLog.isEnabled = true }  // says: stores write no log: they throw errors
func defaulted(_ store: any NonFallibleReadableStorage) {}  // says: renamed to 'NonFallibleStorage'

let store = MemoryStorage<String, Int>()
