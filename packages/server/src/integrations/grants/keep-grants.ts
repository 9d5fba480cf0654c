import type { IntegrationKind } from '@signalbox/contract/rest'
import { Problem } from '@signalbox/contract'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Store } from '../../store/store.ts'
import type { AccessGrants } from './access-grants.ts'
import { findCredentialRow, listEndingCredentials } from './credential-rows.ts'
import { findIntegrationRow } from '../rows.ts'

/** Names the queue that renews one grant. */
export const keepGrantQueue = 'integrations.keepGrant'

/** Uses a refresh token after 30 days: some providers end one that is unused for 90. */
const keepBeforeEndMs = 60 * 24 * 3600 * 1000
const grantsMax = 1_000

/** Lists what renewing grants in time needs. */
export interface KeepGrantsDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly grants: AccessGrants
  readonly now: () => Date
}

/** Adds a job for each grant, of any organization, that would end because it is unused. */
export async function enqueueEndingGrants({
  store,
  jobs,
  now,
}: Pick<KeepGrantsDeps, 'store' | 'jobs' | 'now'>): Promise<void> {
  await store.maintenance(async (tx) => {
    const ending = await listEndingCredentials(tx, endsSoon(now()), grantsMax)
    for (const { orgId, integrationId, kind } of ending) {
      await jobs.enqueue(tx, keepGrantQueue, { orgId, kind }, { key: integrationId })
    }
  })
}

/**
 * Renews a grant that would end because it is unused. Finds out that a grant has ended, and asks a person to connect again,
 * before a deployment needs it.
 *
 * @throws {Problem} `provider_error`: later again.
 */
export async function keepGrant(
  { store, grants, now }: Pick<KeepGrantsDeps, 'store' | 'grants' | 'now'>,
  { orgId, kind }: { readonly orgId: string; readonly kind: IntegrationKind },
): Promise<void> {
  const row = await store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind })
    return integration && findCredentialRow(tx, { orgId, integrationId: integration.id })
  })
  const endsAt = row?.refreshExpiresAt ?? null
  if (row === undefined || endsAt === null || endsAt >= endsSoon(now())) return
  try {
    // Naming the generation makes `get` treat its token as expired, whatever the clock says.
    await grants.get(orgId, kind, row.generation)
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'provider_error') throw error
  }
}

function endsSoon(now: Date): Date {
  return new Date(now.getTime() + keepBeforeEndMs)
}
