import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Tx } from '../store/store.ts'

/** Writes the settings that an organization has chosen for an integration. */
export async function writeIntegrationSettings(
  tx: Tx,
  orgId: string,
  of: { readonly integrationId: string; readonly settings: object; readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'write-integration-settings',
    text: `update integrations set settings = $3, revision = revision + 1, updated_at = $4
      where org_id = $1 and id = $2`,
    values: [orgId, of.integrationId, JSON.stringify(of.settings), of.now],
  })
}

/** Names an integration of some organization. */
export interface UsableIntegration {
  readonly orgId: string
  readonly integrationId: string
  readonly provider: string
}

/** Lists, in pages by organization, the integrations of a kind for which calls may be made. For maintenance. */
export async function pageUsableIntegrations(
  tx: Tx,
  kind: IntegrationKind,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<UsableIntegration[]> {
  return tx.query<UsableIntegration>({
    name: 'page-usable-integrations',
    text: `select org_id as "orgId", id as "integrationId", provider from integrations
      where kind = $1 and state in ('connected', 'degraded') and org_id > $2 order by org_id limit $3`,
    values: [kind, after, limit],
  })
}
