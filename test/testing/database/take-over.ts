import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresServer } from './postgres-server.ts'

/** Looks so often, as Patroni's `loop_wait`. */
const pollEveryMs = 500
const answerMs = 1_000
/** Takes over after so many looks without an answer. */
const failuresMax = 3

/** Names a primary as its clients reach it, and the standby that takes over from it. */
export interface TakeOver {
  readonly primary: pg.ClientConfig
  readonly standby: Pick<PostgresServer, 'query'>
}

/**
 * Watches the primary as its clients reach it, and promotes the standby once it has been silent for some seconds. This is
 * the part of a cluster manager that a failover needs: it fences nobody, so a former primary may still run afterwards.
 */
export async function takeOver({ primary, standby }: TakeOver): Promise<void> {
  for (let failures = 0; failures < failuresMax;) {
    await delay(pollEveryMs)
    failures = (await answers(primary)) ? 0 : failures + 1
  }
  await standby.query('select pg_promote()')
}

async function answers(host: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({
    ...host,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select')
    return true
  } catch {
    return false
  } finally {
    // Waits for nothing: a silent server answers no goodbye.
    void client.end().catch(() => undefined)
  }
}
