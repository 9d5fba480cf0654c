import { until } from '../proof-service.ts'
import type { PostgresServer } from './postgres-server.ts'

type Primary = Pick<PostgresServer, 'query'>

async function hasStandby(primary: Primary, condition: string, values: string[] = []) {
  const sql = `select from pg_stat_replication where ${condition}`
  return (await primary.query(sql, values)).length === 1
}

/** Waits until the standby of a primary follows. */
export async function waitForStandby(primary: Primary): Promise<void> {
  await until(() => hasStandby(primary, `state = 'streaming'`), 'a standby', 60_000)
}

/** Lets each commit wait for the standby from now on, and waits until the standby has those before. */
export async function makeSynchronous(primary: Primary): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = 'standby'`)
  await primary.query('select pg_reload_conf()')
  await until(() => hasStandby(primary, `sync_state = 'sync'`), 'a synchronous standby')
  const [now] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  const hasAll = () => hasStandby(primary, 'flush_lsn >= $1', [now?.lsn ?? ''])
  await until(hasAll, 'the standby to have everything')
}
