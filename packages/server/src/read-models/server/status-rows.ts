import { advisoryLocks } from '../../store/advisory-locks.ts'
import type { Tx } from '../../store/store.ts'

/** Holds what the database knows of the server. */
export interface ServerFacts {
  readonly databaseVersion: string
  readonly sizeBytes: number
  /** Says whether a commit waits for a standby, so that a failover loses none that was acknowledged. */
  readonly waitsForStandby: boolean
  readonly nodes: number
  readonly waiting: number
  readonly running: number
  readonly oldestWaitingSeconds: number | null
  readonly failedJobs: number
  readonly lastBackupAt: Date | null
}

const counted = 100_000
const [lockClass, lockPurpose] = advisoryLocks.nodes

/** Reads what the database knows of the server, as maintenance. Counts of jobs end at a hundred thousand: more is as bad. */
export async function findServerFacts(tx: Tx, serverChain: string): Promise<ServerFacts> {
  const [row] = await tx.query<ServerFacts>({
    name: 'find-server-facts',
    text: `select current_setting('server_version') as "databaseVersion",
        pg_database_size(current_database())::float8 as "sizeBytes",
        current_setting('synchronous_standby_names') <> ''
          and current_setting('synchronous_commit') not in ('off', 'local') as "waitsForStandby",
        (select count(distinct pid)::integer from pg_locks where locktype = 'advisory' and granted and objsubid = 2
          and classid = ${lockClass} and objid = ${lockPurpose}
          and database = (select oid from pg_database where datname = current_database())) as nodes,
        j.waiting, j.running, j.oldest as "oldestWaitingSeconds",
        (select count(*)::integer from (select from failed_jobs where retried_at is null limit ${counted}) d) as "failedJobs",
        (select at from audit_events where org_id = $1 and action = 'backup.created'
          order by sequence desc limit 1) as "lastBackupAt"
      from (select (count(*) filter (where state <> 'active'))::integer as waiting,
          (count(*) filter (where state = 'active'))::integer as running,
          extract(epoch from now() - min(created_on) filter (where state <> 'active' and start_after <= now()))::integer as oldest
        from (select state, created_on, start_after from pgboss.job
          where state in ('created', 'retry', 'active') and name <> 'dead' limit ${counted}) jobs) j`,
    values: [serverChain],
  })
  if (row === undefined) throw new Error('The database says nothing of itself')
  return row
}
