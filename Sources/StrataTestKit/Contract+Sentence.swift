extension Contract {
  /// The promise in a sentence.
  public var sentence: String {
    switch self {
    case .reading: "every way of reading returns the value that was written"
    case .absence: "a key that was never written is absent, which is not a failure"
    case .overwriting: "a write replaces the old value and its expiry"
    case .removing: "a removed key is absent, and other keys are unchanged"
    case .removingAll: "removeAll removes all entries, and the store stays usable"
    case .anyValue: "any bytes are returned unchanged, including none"
    case .hugeValue: "a huge value is returned unchanged"
    case .anyKey: "any string is a key, and different strings are different keys"
    case .equalKeys: "strings that are equal in Swift are the same key"
    case .keys: "keys() lists the keys that are stored and have not expired, each once and unchanged"
    case .paging: "pages list every key once, also while others write, and end"
    case .manyKeys: "100 000 keys are stored, listed, read and removed"
    case .sortedKeys: "keys() lists keys in ascending order"
    case .expiry: "a value is returned until its expiry date, and not from then on"
    case .pastExpiry: "a value that is stored already expired is never returned"
    case .shortExpiry: "expiries shorter than a second are kept as exactly as longer ones"
    case .ownExpiry: "a value stored without an expiry gets the store's default expiry"
    case .sweeping: "removeExpiredObjects removes expired entries and no others"
    case .changes: "each kind of change has its effect and no other, and reports whether it was made"
    case .batches: "a batch has the same effect as its single operations"
    case .entries: "a batch of entries stores each with its own expiry"
    case .atomicBatches: "other readers see all of a batch or nothing"
    case .parallelKeys: "tasks that use different keys do not affect each other"
    case .linearizability: "operations on one key take effect one after the other"
    case .updating: "update changes a value as one operation, and a failed update changes nothing"
    case .conditions: "setIfAbsent and touch check and write in one step"
    case .bothWorlds: "calls with and without await reach the store's own functions"
    case .cancellation: "an operation of a cancelled task is completed, or throws and changes nothing"
    case .resources: "thousands of operations leave no descriptor open and no thread behind"
    case .blocking: "a cached read does not block, nor does a store that says it does not"
    case .announcing: "memory in front of the store learns of every change, and of each write once"
    case .lostWrites:
      "a write that was lost on its way to a server takes effect before all later ones, or never"
    case .reopening: "a store that is opened again has everything that was stored before"
    case .severalHandles: "two stores at one location, in one process, read each other's writes"
    case .severalProcesses: "two processes at one location read each other's writes"
    case .survivingKill: "acknowledged writes survive a kill of the process, and no write is left in part"
    case .fullDisk: "a write for which there is no room throws, and no stored entry is lost"
    case .readOnlyFolder:
      "without write permission, a write throws, and stored entries are never reported absent"
    case .damage: "a read of a damaged entry throws, and never reports it absent"
    }
  }
}
