// P13b: what it costs to drop old webhooks by weeks, and to delete other old rows.
import { silentLog } from '../packages/server/src/store/log.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { migrations } from '../packages/server/src/store/migrations/index.ts'
import { withOwner } from '../packages/server/src/store/owner.ts'
import { deploymentsSql, withoutTriggers } from './growth/fill-sql.ts'
import { measureRetention } from './growth/retention.ts'
import { openOwnPostgres } from './own-postgres.ts'
import { recordResult } from './record.ts'

/** Example: `node … bench/retention.ts 10000` for a look. */
const webhooks = Number(process.argv[2] ?? 1_000_000)
const deployments = webhooks / 4
const perSecondLeast = 10_000

const database = await openOwnPostgres()
try {
  const measured = await withOwner(database.target, async (client) => {
    await migrate(client, migrations, { log: silentLog })
    await client.query(
      `insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme')`,
    )
    await client.query(withoutTriggers)
    for (const sql of deploymentsSql)
      await client.query(sql, ['org_1', ['env_1', 'env_2', 'env_3', 'env_4'], 0, deployments])
    await client.query('vacuum analyze')
    return measureRetention(client, { webhooks, deployments })
  })
  const { dropped = 0, dropMs = 0, idsMs = 0 } = measured
  const tookMs = dropMs + idsMs
  const perSecond = Math.round((dropped / tookMs) * 1000)
  recordResult({
    figure: 'P13b',
    what: `old webhooks of ${webhooks.toLocaleString('en')} dropped by weeks, and their ids deleted`,
    reach: `>= ${perSecondLeast.toLocaleString('en')} a second`,
    found: `${perSecond.toLocaleString('en')} a second (${(tookMs / 1000).toFixed(1)} s for ${dropped.toLocaleString('en')})`,
    reached: perSecond >= perSecondLeast,
    measured,
  })
} finally {
  await database.close()
}
