import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { recordKeyUses } from './api-keys/rows.ts'
import { recordTokenUses } from './personal-tokens/rows.ts'

/** Remembers when credentials were last used, and writes it down in batches. */
export interface UseRecorder {
  /** Costs a look-up in memory, so that the hot path may call it with every request. */
  recordKeyUse(key: { readonly orgId: string; readonly keyId: string }): void
  recordTokenUse(tokenId: string): void
  /** Writes down what was used since the last time. Kept for the next time when the database is away. */
  flush(): Promise<void>
  /** Begins to flush every minute. */
  start(): void
  /** Flushes a last time. */
  close(): Promise<void>
}

export interface UseRecorderDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  /** Default 60,000: of each credential at most one write in this time. */
  readonly intervalMs?: number
}

interface KeyUsed {
  readonly orgId: string
  usedAt: Date
}

/** Opens a recorder. Writes nothing until it is started or asked to. */
export function createUseRecorder(deps: UseRecorderDeps): UseRecorder {
  const { store, now, log, intervalMs = 60_000 } = deps
  let keys = new Map<string, KeyUsed>()
  let tokens = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    const [usedKeys, usedTokens] = [keys, tokens]
    if (usedKeys.size + usedTokens.size === 0) return
    keys = new Map()
    tokens = new Map()
    try {
      await store.maintenance(async (tx) => {
        const keyUses = [...usedKeys].map(([keyId, { orgId, usedAt }]) => ({
          orgId,
          keyId,
          usedAt,
        }))
        await recordKeyUses(tx, keyUses)
        await recordTokenUses(
          tx,
          [...usedTokens].map(([tokenId, usedAt]) => ({ tokenId, usedAt })),
        )
      })
    } catch (error) {
      // What was used again meanwhile is the later moment.
      keys = new Map([...usedKeys, ...keys])
      tokens = new Map([...usedTokens, ...tokens])
      throw error
    }
  }
  const flushAndReport = () =>
    flush().catch((error: unknown) => log.warn('Uses of credentials could not be noted', { error }))
  return {
    recordKeyUse({ orgId, keyId }) {
      const known = keys.get(keyId)
      if (known === undefined) keys.set(keyId, { orgId, usedAt: now() })
      else known.usedAt = now()
    },
    recordTokenUse(tokenId) {
      tokens.set(tokenId, now())
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
