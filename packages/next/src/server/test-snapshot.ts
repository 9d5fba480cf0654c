import type { LoadedSnapshot } from './find-snapshot.ts'
import type { ConfigValue } from './snapshot-document.ts'

const symbol = Symbol.for('@signalbox/next values of a test')
const shared: typeof globalThis & { [symbol]?: LoadedSnapshot | undefined } = globalThis

/** Returns what a test has given the server components of this process in place of a server. */
export function snapshotOfTest(): LoadedSnapshot | undefined {
  return shared[symbol]
}

/**
 * Gives all server components of this process `values`, whichever copy of this module they have loaded. Each value is in
 * every tier, because tiers exist only at compile time. `undefined`: a server is asked again.
 */
export function setSnapshotOfTest(values: object | undefined): void {
  if (values === undefined) {
    shared[symbol] = undefined
    return
  }
  const known: Record<string, ConfigValue> = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  )
  const flags = Object.entries(known).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
  )
  const document = {
    version: 1,
    schemaId: '',
    environmentId: '',
    fetchedAt: new Date().toISOString(),
    public: known,
    secret: known,
    featureFlags: Object.fromEntries(flags),
  }
  shared[symbol] = { document, source: 'network' }
}
