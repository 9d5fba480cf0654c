import type { IntegrationKind } from '@signalbox/contract/rest'
import { providersOfApplication } from '../providers/find-provider.ts'
import type { Tx } from '../store/store.ts'
import type { Integration, IntegrationError, Revocation } from './integration.ts'

const columns = `org_id as "orgId", id, kind, provider, is_shared as "isShared", state, state_reason as "stateReason", account, scopes, settings,
  connected_at as "connectedAt", connected_by as "connectedBy", reconnect_before as "reconnectBefore", last_ok_at as "lastOkAt",
  last_error as "lastError", revocation, revision,
  (select c.retry_at from integrations o join integration_credentials c on c.org_id = o.org_id and c.integration_id = o.id
    where o.org_id = integrations.org_id and o.state in ('connected', 'degraded') and c.rejections > 0
      and (o.id = integrations.id or (integrations.is_shared and o.kind = 'codehost'))
    limit 1) as "renewalRetryAt"`

/** Returns the integrations of an organization; of each kind the one in use, or the last one there was. */
export async function listIntegrationRows(tx: Tx, orgId: string): Promise<Integration[]> {
  return tx.query<Integration>({
    name: 'list-integrations',
    text: `select distinct on (kind) ${columns} from integrations where org_id = $1
      order by kind, (state = 'disconnected'), created_at desc`,
    values: [orgId],
  })
}

/** Returns the integration of a kind that is in use, locked when it is about to be changed. */
export async function findIntegrationRow(
  tx: Tx,
  { orgId, kind }: { readonly orgId: string; readonly kind: IntegrationKind },
  lock: '' | 'for update' = '',
): Promise<Integration | undefined> {
  const [row] = await tx.query<Integration>({
    name: `find-integration-${lock}`,
    text: `select ${columns} from integrations where org_id = $1 and kind = $2 and state <> 'disconnected' ${lock}`,
    values: [orgId, kind],
  })
  return row
}

/** Lists the ids of the connections with a provider that have ended, the newest hundred. */
export async function listEndedIntegrations(
  tx: Tx,
  { orgId, provider }: Pick<Integration, 'orgId' | 'provider'>,
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-ended-integrations',
    text: `select id from integrations where org_id = $1 and provider = $2 and state = 'disconnected'
      order by created_at desc limit 100`,
    values: [orgId, provider],
  })
  return rows.map(({ id }) => id)
}

/** Returns whose integration an account of a provider is. Asked by maintenance: a webhook says nothing of our organizations. */
export async function findIntegrationByAccount(
  tx: Tx,
  provider: string,
  accountId: string,
): Promise<Integration | undefined> {
  const [row] = await tx.query<Integration>({
    name: 'find-integration-by-account',
    text: `select ${columns} from integrations
      where provider = $1 and account_id = $2 and state not in ('pending', 'disconnected')`,
    values: [provider, accountId],
  })
  return row
}

/** Names an account of a provider, and the organization that is connected to it. */
export interface OwnedAccount {
  readonly provider: string
  readonly accountId: string | null
  readonly orgId: string
}

/** Lists those of some accounts, without repeats, that an organization is connected to. */
export async function listOwnedAccounts(
  tx: Tx,
  accounts: readonly { readonly provider: string; readonly accountId: string }[],
): Promise<OwnedAccount[]> {
  return tx.query<OwnedAccount>({
    name: 'list-owned-accounts',
    text: `select distinct i.provider, i.account_id as "accountId", i.org_id as "orgId"
      from unnest($1::text[], $2::text[]) as given (provider, account_id) join integrations i using (provider, account_id)
      where i.state not in ('pending', 'disconnected')`,
    values: [accounts.map(({ provider }) => provider), accounts.map(({ accountId }) => accountId)],
  })
}

/** Renders JSON. A `null` stays null in the database, and is no JSON `null`. */
function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** Writes an integration, whether it is there or not. */
export async function upsertIntegrationRow(
  tx: Tx,
  integration: Integration,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'upsert-integration',
    text: `insert into integrations (org_id, id, kind, provider, state, state_reason, account_id, account, scopes, settings,
        connected_at, connected_by, reconnect_before, last_ok_at, last_error, revocation, created_at, updated_at, is_shared)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17, $18)
      on conflict (org_id, id) do update set provider = excluded.provider, state = excluded.state, state_reason = excluded.state_reason,
        account_id = excluded.account_id, account = excluded.account, scopes = excluded.scopes, settings = excluded.settings,
        connected_at = excluded.connected_at, connected_by = excluded.connected_by,
        reconnect_before = excluded.reconnect_before, last_ok_at = excluded.last_ok_at, last_error = excluded.last_error,
        revocation = excluded.revocation, is_shared = excluded.is_shared, revision = integrations.revision + 1, updated_at = excluded.updated_at`,
    values: [
      integration.orgId,
      integration.id,
      integration.kind,
      integration.provider,
      integration.state,
      integration.stateReason,
      integration.account?.id ?? null,
      json(integration.account),
      integration.scopes,
      JSON.stringify(integration.settings),
      integration.connectedAt,
      json(integration.connectedBy),
      integration.reconnectBefore,
      integration.lastOkAt,
      json(integration.lastError),
      json(integration.revocation),
      now,
      integration.isShared,
    ],
  })
}

/**
 * Returns whether another organization of this server has the account, at any of the providers that use the same application. Row level security shows a request its own organization
 * alone, so a function of the database looks, and says yes or no and nothing else.
 */
export async function isAccountTaken(
  tx: Tx,
  provider: string,
  accountId: string,
  orgId: string,
): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean | null }>({
    name: 'is-integration-account-taken',
    text: `select bool_or(is_integration_account_taken(each, $2, $3)) as taken from unnest($1::text[]) as g (each)`,
    values: [providersOfApplication(provider), accountId, orgId],
  })
  return row?.taken === true
}

/** Records the outcome of a revocation at the provider. The address where a person can end the access stays. */
export async function setRevocation(
  tx: Tx,
  { orgId, id }: Pick<Integration, 'orgId' | 'id'>,
  revocation: Revocation,
): Promise<void> {
  await tx.query({
    name: 'set-integration-revocation',
    text: `update integrations
      set revocation = (($3::jsonb) || jsonb_build_object('url', revocation::jsonb -> 'url'))::json, updated_at = now()
      where org_id = $1 and id = $2`,
    values: [orgId, id, JSON.stringify(revocation)],
  })
}

/** Records that the provider refuses the credential, unless another generation is stored already. */
export async function markReauthRequired(
  tx: Tx,
  { orgId, id }: Pick<Integration, 'orgId' | 'id'>,
  { generation, error }: { readonly generation: number; readonly error: IntegrationError },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'mark-integration-reauth-required',
    text: `update integrations i set state = 'reauth_required', state_reason = $4, last_error = $5, revision = revision + 1,
        updated_at = now()
      from integration_credentials c
      where i.org_id = $1 and i.id = $2 and c.org_id = i.org_id and c.integration_id = i.id and c.generation = $3
        and i.state in ('connected', 'degraded') returning 1`,
    values: [orgId, id, generation, error.detail, JSON.stringify(error)],
  })
  return rows.length === 1
}
