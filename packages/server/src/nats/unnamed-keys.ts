/** Describes a look at what is stored. */
export interface StoredKeys {
  readonly listed: ReadonlySet<string>
  /** Lists the keys of objects that a mark names. */
  readonly required: ReadonlySet<string>
  /** Names the groups that this process publishes. It leaves the others alone. */
  readonly groups: ReadonlySet<string>
  readonly nowMs: number
}

const keptMs = 60 * 60_000

/** Creates an empty memory of keys. */
export function createUnnamedKeys() {
  let sinceMs = new Map<string, number>()
  return {
    /** Returns the keys that have been named by nothing for an hour: a node may still be reading the others. */
    take({ listed, required, groups, nowMs }: StoredKeys): string[] {
      const unnamed = [...listed].filter(
        (key) => isOurs(key, groups) && !required.has(objectOf(key)),
      )
      sinceMs = new Map(unnamed.map((key) => [key, sinceMs.get(key) ?? nowMs]))
      return unnamed.filter((key) => nowMs - (sinceMs.get(key) ?? nowMs) >= keptMs)
    },
  }
}

/** Returns the key of the object that a key is, or is a part of. */
function objectOf(key: string): string {
  const parts = key.split('.')
  return parts.slice(0, parts[0] === '_g' ? 3 : 2).join('.')
}

function isOurs(key: string, groups: ReadonlySet<string>): boolean {
  const [first, group = '', name] = key.split('.')
  return first !== '_g' || (groups.has(group) && name !== 'mark')
}
