import { auditSql } from './0001-baseline/audit.ts'
import { configsSql } from './0001-baseline/configs.ts'
import { credentialsSql } from './0001-baseline/credentials.ts'
import { deploymentsSql } from './0001-baseline/deployments.ts'
import { integrationsSql } from './0001-baseline/integrations.ts'
import { liveSql } from './0001-baseline/live.ts'
import { notificationsSql } from './0001-baseline/notifications.ts'
import { operationSql } from './0001-baseline/operation.ts'
import { outgoingEventsSql } from './0001-baseline/outgoing-events.ts'
import { peopleSql } from './0001-baseline/people.ts'
import { rolesSql } from './0001-baseline/roles.ts'
import { targetsSql } from './0001-baseline/targets.ts'
import { testRunsSql } from './0001-baseline/test-runs.ts'
import { vaultSql } from './0001-baseline/vault.ts'
import { webhooksSql } from './0001-baseline/webhooks.ts'
import type { Migration } from './migration.ts'

/**
 * Creates the database of the first release, by feature. The primary keys of the tables of organizations begin with `org_id`, so
 * that they can be distributed by it later.
 */
export const baseline: Migration = {
  name: '0001-baseline',
  sql: [
    rolesSql,
    peopleSql,
    vaultSql,
    credentialsSql,
    auditSql,
    configsSql,
    integrationsSql,
    targetsSql,
    webhooksSql,
    deploymentsSql,
    testRunsSql,
    notificationsSql,
    operationSql,
    outgoingEventsSql,
    liveSql,
  ].join('\n'),
}
