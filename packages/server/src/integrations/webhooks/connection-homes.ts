import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@signalbox/contract'
import type { Store } from '../../store/store.ts'
import { listConnectionHomes } from './webhook-rows.ts'

/** Finds the organizations of connections that webhooks name. */
export interface ConnectionHomes {
  /**
   * Returns the organization of a connection that takes webhooks; `undefined` when there is none.
   *
   * @throws {Problem} `overloaded` while too many different connections are asked for.
   */
  find(integrationId: string): Promise<string | undefined>
  /** Forgets a connection that has ended. */
  forget(integrationId: string): void
}

const pauseMs = 250
const waitingMax = 1_000
const keptMax = 10_000

/**
 * Creates what finds connections by the addresses of webhooks. Anybody can send to an address that nobody has, and its signature
 * cannot be checked: there is no secret. So all that wait are asked for by one query, and there are four of those in a second at
 * most, whatever comes. A connection that is known costs none, and a new one is found at once while nobody floods.
 */
export function createConnectionHomes({
  store,
  pause = (ms) => delay(ms, undefined, { ref: false }),
}: {
  readonly store: Pick<Store, 'intake'>
  /** Waits between two questions to the database. Default: a timer. */
  readonly pause?: (ms: number) => Promise<unknown>
}): ConnectionHomes {
  const homes = new Map<string, string>()
  let waiting = new Map<string, PromiseWithResolvers<string | undefined>>()
  let isRunning = false

  const keep = (integrationId: string, orgId: string) => {
    homes.set(integrationId, orgId)
    const [oldest] = homes.keys()
    if (homes.size > keptMax && oldest !== undefined) homes.delete(oldest)
  }
  const askNext = async () => {
    const lookups = waiting
    waiting = new Map()
    try {
      const rows = await store.intake((tx) => listConnectionHomes(tx, [...lookups.keys()]))
      for (const { integrationId, orgId } of rows) keep(integrationId, orgId)
      for (const [id, { resolve }] of lookups) resolve(homes.get(id))
    } catch (error) {
      for (const { reject } of lookups.values()) reject(error)
    }
  }
  const run = async () => {
    isRunning = true
    while (waiting.size > 0) {
      await askNext()
      await pause(pauseMs)
    }
    isRunning = false
  }
  return {
    async find(integrationId) {
      const home = homes.get(integrationId)
      if (home !== undefined) return home
      const same = waiting.get(integrationId)
      if (same !== undefined) return same.promise
      if (waiting.size >= waitingMax) throw overloaded()
      const fresh = Promise.withResolvers<string | undefined>()
      waiting.set(integrationId, fresh)
      if (!isRunning) void run()
      return fresh.promise
    },
    forget: (integrationId) => void homes.delete(integrationId),
  }
}

function overloaded(): Problem {
  const detail =
    'Too many webhooks name connections that this server does not know. Try again in a second.'
  return new Problem('overloaded', detail, { retryAfterSeconds: 1 })
}
