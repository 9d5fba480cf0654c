import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { PgBoss, type Db } from 'pg-boss'
import type { ConnectionTarget } from '../store/connection-target.ts'
import { withMigrationLock, type MigrationLockOptions } from '../store/migrations/migration-lock.ts'
import { withOwner } from '../store/owner.ts'
import { deadLetterBossQueue, toBossQueue, type QueueDefinition } from './queue.ts'

/** A request may add jobs. Their contents and fate are the worker's business. */
const grantSql = `
  grant usage on schema pgboss to signalbox_app, signalbox_maintenance;
  grant select, insert, update, delete on all tables in schema pgboss to signalbox_maintenance;
  grant insert on all tables in schema pgboss to signalbox_app;
  grant select on pgboss.queue to signalbox_app;
  do $$
  declare job_table text;
  begin
    for job_table in
      select c.oid::regclass::text from pg_class c
      where c.relnamespace = 'pgboss'::regnamespace and (c.relname = 'job' or c.oid in (
        select inhrelid from pg_inherits where inhparent = 'pgboss.job'::regclass))
    loop
      execute format('grant select (id) on %s to signalbox_app', job_table);
    end loop;
  end $$;
`

function adapterOf(client: pg.Client): Db {
  return { executeSql: (text, values) => client.query(text, values) }
}

async function install(
  client: pg.Client,
  queues: readonly QueueDefinition<string>[],
): Promise<void> {
  const boss = new PgBoss({
    db: adapterOf(client),
    migrate: true,
    supervise: false,
    schedule: false,
  })
  // Errors here are thrown as well; without a listener they would end the process.
  boss.on('error', () => undefined)
  await boss.start()
  try {
    const stored = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
    for (const { name, ...options } of [deadLetterBossQueue, ...queues.map(toBossQueue)]) {
      const { policy: _, ...changeable } = options
      const known = stored.get(name)
      // Almost every start finds them all as they are to be.
      if (known === undefined) await boss.createQueue(name, options)
      else if (!isDeepStrictEqual({ ...known, ...changeable }, known))
        await boss.updateQueue(name, changeable)
    }
    await client.query(grantSql)
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** Migrates the tables of the queues, with the owner's rights. Nodes that start together wait for each other. */
export async function installJobs(
  target: ConnectionTarget,
  queues: readonly QueueDefinition<string>[],
  lock: MigrationLockOptions,
): Promise<void> {
  await withOwner(target, (client) =>
    withMigrationLock(client, lock, () => install(client, queues)),
  )
}
