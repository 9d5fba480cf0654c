/**
 * Puts PgBouncer in transaction mode in front of every store that a test opens. Tests are skipped where it cannot be had, with
 * the reason.
 */
import { beforeEach } from 'vitest'
import { findTool } from '../scripts/tools/find-tool.ts'
import { openStoresBehind } from '../packages/server/src/store/testing/test-database.ts'
import { openPooler } from './testing/balanced/pgbouncer.ts'

const pgbouncer = await findTool('pgbouncer')

if ('path' in pgbouncer) {
  openStoresBehind((databaseUrl) => openPooler(pgbouncer.path, { databaseUrl }))
} else {
  beforeEach(({ skip }) => skip(pgbouncer.reason))
}
