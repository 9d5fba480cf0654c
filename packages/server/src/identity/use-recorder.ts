import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { recordKeyUses, recordSecretReads, type KeyUse } from './api-keys/rows.ts'
import { recordAgentTokenUses, type AgentTokenUse } from './members/agent-tokens/rows.ts'
import { recordTokenUses, type TokenUse } from './personal-tokens/rows.ts'

/** Records when credentials were last used, and stores that in batches. */
export interface UseRecorder {
  /** Costs a look-up in memory. */
  recordKeyUse(key: { readonly orgId: string; readonly keyId: string }): void
  /** Counts an answer with secrets to a key. */
  readonly recordSecretRead: (key: { readonly orgId: string; readonly keyId: string }) => void
  recordTokenUse(tokenId: string): void
  recordAgentUse(use: Omit<AgentTokenUse, 'usedAt'>): void
  /** Calls `take` before each flush for uses that are not recorded one by one: those of the delivery. */
  collectFrom(take: () => Iterable<KeyUse>): void
  /** Stores the uses since the last flush. Keeps them for the next one when the database is away. */
  flush(): Promise<void>
  /** Begins to flush every minute. */
  start(): void
  /** Flushes a last time. */
  close(): Promise<void>
}

export interface UseRecorderDeps {
  /** `maintenance` is absent in a process that only delivers, which sees no token of a person. */
  readonly store: Pick<Store, 'delivery'> & Partial<Pick<Store, 'maintenance'>>
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  /** Default 60,000: of each credential at most one write in this time. */
  readonly intervalMs?: number
}

/** Opens a recorder. Writes nothing until it is started or asked to. */
export function createUseRecorder(deps: UseRecorderDeps): UseRecorder {
  const { store, now, intervalMs = 60_000 } = deps
  const keys = createBatch<KeyUse>({
    idOf: ({ keyId }) => keyId,
    async write(uses) {
      // The counts last: a moment that is written twice does no harm, and a count does.
      await recordKeyUses(store.delivery, uses)
      await recordSecretReads(store.delivery, uses)
    },
    join: joinKeyUses,
  })
  const tokens = createBatch<TokenUse>({
    idOf: ({ tokenId }) => tokenId,
    write: async (uses) => store.maintenance?.((tx) => recordTokenUses(tx, uses)),
  })
  const agents = createBatch<AgentTokenUse>({
    idOf: ({ tokenId }) => tokenId,
    write: async (uses) => store.maintenance?.((tx) => recordAgentTokenUses(tx, uses)),
  })
  const sources: (() => Iterable<KeyUse>)[] = []
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    for (const take of sources) for (const use of take()) keys.note(use)
    await Promise.all([keys.flush(), tokens.flush(), agents.flush()])
  }
  const flushAndReport = createReporting(flush, deps.log)
  return {
    recordKeyUse: ({ orgId, keyId }) => keys.note({ orgId, keyId, usedAt: now() }),
    recordSecretRead: ({ orgId, keyId }) =>
      keys.note({ orgId, keyId, usedAt: now(), secretReads: 1 }),
    recordTokenUse: (tokenId) => tokens.note({ tokenId, usedAt: now() }),
    recordAgentUse: (use) => agents.note({ ...use, usedAt: now() }),
    collectFrom(take) {
      sources.push(take)
    },
    flush,
    start() {
      timer = setInterval(() => void flushAndReport(), intervalMs).unref()
    },
    async close() {
      clearInterval(timer)
      await flushAndReport()
    },
  }
}

interface BatchOptions<Use> {
  readonly idOf: (use: Use) => string
  readonly write: (uses: readonly Use[]) => Promise<void>
  /** Joins two uses of a credential. Default: the later one. */
  readonly join?: (one: Use, other: Use) => Use
}

/** More than a key reads in a minute. A relay that reports nonsense does not stop the counts of the others. */
const readsMax = 1_000_000_000

/** Returns the later of two uses of a key, with the reads of both. */
function joinKeyUses(one: KeyUse, other: KeyUse): KeyUse {
  const secretReads = Math.min((one.secretReads ?? 0) + (other.secretReads ?? 0), readsMax)
  return { ...later(one, other), ...(secretReads > 0 && { secretReads }) }
}

function later<Use extends { readonly usedAt: Date }>(one: Use, other: Use): Use {
  return one.usedAt < other.usedAt ? other : one
}

/** The latest use of each credential, until it is written down. */
function createBatch<Use extends { readonly usedAt: Date }>({
  idOf,
  write,
  join = later,
}: BatchOptions<Use>) {
  let latest = new Map<string, Use>()
  const note = (use: Use) => {
    const known = latest.get(idOf(use))
    latest.set(idOf(use), known === undefined ? use : join(known, use))
  }
  return {
    note,
    async flush() {
      if (latest.size === 0) return
      const uses = [...latest.values()]
      latest = new Map()
      try {
        await write(uses)
      } catch (error) {
        for (const use of uses) note(use)
        throw error
      }
    },
  }
}

/** Reports the first failure in a row: a database may be away for days. */
function createReporting(flush: () => Promise<void>, log: Pick<Log, 'warn'>): () => Promise<void> {
  let failing = false
  return async () => {
    try {
      await flush()
      failing = false
    } catch (error) {
      if (!failing) log.warn('Could not store when credentials were used', { error })
      failing = true
    }
  }
}
