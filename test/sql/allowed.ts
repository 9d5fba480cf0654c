/** SQL that is made at run time, each with its reason. Everything else is found in the source. */
export const madeAtRunTime = [
  // Commands for a backup: they go through the tables that the database itself lists.
  'packages/server/src/store/raw-query.ts',
  // pg-boss writes its own.
  'packages/server/src/jobs/create-jobs.ts',
]

/** Differences that are known. The list only shrinks. */
export const allowedWrong: readonly string[] = [
  'read-chain-piece position_at is not in the row type',
  'read-chain-piece external_id is not in the row type',
  'find-integration-revocation sealed may be null',
  'notifications-configuration who may be null',
  'list-live-configs schemaId may be null',
  'list-live-configs version may be null',
]

/** Accesses to another owner's table that are known. The list only shrinks. */
export const allowedForeign: readonly string[] = [
  'dead-jobs reads organizations',
  'inbox reads dead_jobs',
  'notifications reads dead_jobs',
  'operation reads dead_jobs',
  'operation reads audit_events',
  'overview reads environments',
  'overview reads deployments',
  'overview reads repositories',
  'overview reads deployment_commits',
  'overview reads test_runs',
  'overview reads notification_routes',
  'overview reads integrations',
  'overview reads notifications',
  'overview reads webhook_deliveries',
  'overview reads dead_jobs',
  'overview reads syncs',
  'overview reads api_keys',
  'overview reads config_schemas',
  'overview reads api_key_uses',
  'overview reads deployment_issues',
  'overview reads members',
  'overview reads users',
  'overview reads config_versions',
  'test-runs reads dead_jobs',
]
