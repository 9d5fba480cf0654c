import type { IntegrationKind } from '@signalbox/contract/rest'
import { Problem } from '@signalbox/contract'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Store, Tx } from '../../store/store.ts'
import { isPaused } from '../../jobs/stored-pause.ts'
import type { AccessGrants, DueRenewal } from './access-grants.ts'
import { findCredentialRow, listEndingCredentials, type CredentialRow } from './credential-rows.ts'
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

/** Adds a job that renews a grant at a moment after a renewal that failed. */
export async function enqueueRenewal(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Tx,
  { orgId, id, kind, generation }: DueRenewal,
  startAfter: Date,
): Promise<void> {
  await jobs.enqueue(tx, keepGrantQueue, { orgId, kind, generation }, { key: id, startAfter })
}

/**
 * Renews a grant that would end because it is unused. Finds out that a grant has ended, and asks a person to connect again,
 * before a deployment needs it. With `generation` it repeats
 * a renewal of that generation that failed; if it fails again, that adds the next job.
 *
 * @throws {Problem} `provider_error`: later again.
 */
export async function keepGrant(
  { store, grants, now }: Pick<KeepGrantsDeps, 'store' | 'grants' | 'now'>,
  of: {
    readonly orgId: string
    readonly kind: IntegrationKind
    readonly generation?: number | undefined
  },
): Promise<void> {
  const { orgId, kind, generation } = of
  const row = await store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind })
    return integration && findCredentialRow(tx, { orgId, integrationId: integration.id })
  })
  if (row === undefined || !isDue(row, generation, now())) return
  try {
    // Naming the generation makes `get` treat its token as expired, whatever the clock says.
    await grants.get(orgId, kind, row.generation)
  } catch (error) {
    const isRepeated = generation !== undefined && !isPaused(row.retryAt, now())
    if (!(error instanceof Problem)) throw error
    if (error.code === 'provider_error' && !isRepeated) throw error
  }
}

function isDue(row: CredentialRow, failedGeneration: number | undefined, now: Date): boolean {
  if (failedGeneration !== undefined) return row.generation === failedGeneration
  return row.refreshExpiresAt !== null && row.refreshExpiresAt < endsSoon(now)
}

function endsSoon(now: Date): Date {
  return new Date(now.getTime() + keepBeforeEndMs)
}
