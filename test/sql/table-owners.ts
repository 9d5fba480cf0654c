/**
 * The owner of each table: a folder of the server that alone writes it and reads it. Folders that may read everything
 * and write nothing are `readers`.
 */
const ownedBy: Readonly<Record<string, string>> = {
  audit: 'audit_events audit_chains audit_outlets audit_positions',
  'commit-checks': 'commit_check_dues commit_checks commit_definitions',
  configs: `browser_snapshots change_request_reviews change_request_revisions change_request_versions change_requests current_values config_schemas config_versions environments proof_readings proof_watches proofs secret_notices
    segment_uses segment_versions segments server_snapshots signals stuck_policies release_templates rollout_plans`,
  deployments: `deployment_commits deployment_issues deployment_jobs deployment_statuses deployments host_environments issues pull_requests
    repositories syncs`,
  'failed-jobs': 'failed_jobs',
  gates: 'environment_freezes gate_approvals gate_decisions gates',
  identity: `access_grants agent_codes agent_token_secrets agent_tokens api_key_secret_reads api_key_secrets api_key_uses api_keys
    device_authorizations email_domains group_members member_groups
    invitations members oidc_attempts oidc_identities organization_policies organizations personal_access_tokens
    provider_identities provider_sessions recovery_codes scim_group_members scim_tokens scim_users second_factors
    sessions setup sign_in_providers signing_keys used_logout_tokens users`,
  inbox: 'received_webhook_ids received_webhooks webhook_watermarks',
  integrations: `integration_credentials integration_revocations integration_webhooks integrations oauth_states provider_apps
    target_names targets used_manifest_states`,
  jobs: 'nodes',
  live: 'live_changes',
  nats: 'replica_marks replica_versions',
  notifications: 'chat_rates notification_routes notifications outgoing_messages outgoing_webhooks',
  operation: 'delivery_nodes',
  previews: 'preview_rules previews',
  retention: 'believed_time',
  store: 'idempotency_keys signalbox_migrations',
  'test-runs': 'test_reports test_results test_run_events test_runs workflow_dispatches workflows',
  vault: 'data_keys publisher_keys publisher_state root_keys server_keys',
}

/** Table -> folder. */
export const tableOwners: ReadonlyMap<string, string> = new Map(
  Object.entries(ownedBy).flatMap(([owner, tables]) =>
    tables.split(/\s+/).map((table) => [table, owner] as const),
  ),
)

/** Folders that may read every table, and write none. */
const readers: ReadonlySet<string> = new Set(['read-models'])

/**
 * Tables that their owner fills for one other folder: it serves them from memory, as a role that sees nothing else
 * (docs/decisions/0044).
 */
const filledFor: Readonly<Record<string, string>> = {
  browser_snapshots: 'delivery',
  server_snapshots: 'delivery',
  data_keys: 'delivery',
  publisher_keys: 'delivery',
}

/** Lists the tables that are filled for delivery. */
export const filledForDelivery: readonly string[] = Object.keys(filledFor)

/** Returns the accesses of a file that belong to the owner of a table. Example: `configs reads integrations`. */
export function foreignAccess(
  path: string,
  { reads, writes }: { readonly reads: ReadonlySet<string>; readonly writes: ReadonlySet<string> },
): string[] {
  const folder = /packages\/server\/src\/([^/]+)\//.exec(path)?.[1] ?? ''
  const foreign = (tables: ReadonlySet<string>) =>
    [...tables].filter((table) => tableOwners.has(table) && tableOwners.get(table) !== folder)
  return [
    ...foreign(reads)
      .filter((table) => !readers.has(folder) && filledFor[table] !== folder)
      .map((table) => `${folder} reads ${table}`),
    ...foreign(writes).map((table) => `${folder} writes ${table}`),
  ]
}
