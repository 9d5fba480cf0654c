import type { ResponseOf, targetEndpoints } from '@signalbox/contract/rest'
import { presentAuthor, presentCredential } from '../../audit/author.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import type { ReadPlan } from './read-plan.ts'
import type { LedgerName, ShownTarget } from './target.ts'

/** Presents a target as the API shows it. */
export function presentTarget(
  target: ShownTarget,
  now: Date,
): ResponseOf<typeof targetEndpoints.getTarget> {
  const { leaseUntil, state } = target
  const isRunning = leaseUntil !== null && leaseUntil > now
  const mayRun = state === 'active' || state === 'deleting'
  return {
    id: target.id,
    name: target.name,
    state,
    schemaId: target.schemaId,
    schema: target.schema,
    environmentId: target.environmentId,
    environment: target.environment,
    provider: target.provider,
    providerName: displayNameOf(target.provider),
    destination: { ...target.destination },
    destinationName: target.destinationName,
    url: target.url,
    tiers: [...target.tiers],
    keys: [...target.keys],
    prefix: target.prefix,
    hasToken: target.sealedToken !== null,
    names: target.names,
    writtenVersion: target.writtenVersion,
    isPending: isRunning || (mayRun && target.demand > target.done),
    lastRunAt: toText(target.lastRunAt),
    health: {
      state: target.healthReason === null ? 'ok' : 'failing',
      reason: target.healthReason,
      detail: target.healthDetail,
      nextStep: target.healthStep,
      url: target.healthUrl,
      failingSince: toText(target.failingSince),
      lastOkAt: toText(target.lastOkAt),
    },
    createdAt: target.createdAt.toISOString(),
    createdBy: presentAuthor(target.createdBy),
    createdWith: presentCredential(target.createdBy),
  }
}

const untouchedMax = 1_000

/** Presents a plan as the API shows it. It picks every field by name, so that no value can come along. */
export function presentPlan({
  targetId,
  version,
  names,
  untouched,
}: ReadPlan): ResponseOf<typeof targetEndpoints.planTarget> {
  const count = (action: string) => names.filter((planned) => planned.action === action).length
  return {
    targetId,
    version,
    counts: {
      create: count('create'),
      update: count('update'),
      keep: count('keep'),
      delete: count('delete'),
      conflict: count('conflict'),
      refuse: count('refuse'),
    },
    items: names.map(({ name, store, key, action, detail, isAdoptable, known }) => ({
      name,
      store,
      key,
      action,
      detail,
      isAdoptable,
      writtenVersion: known?.version ?? null,
    })),
    untouched: untouched.slice(0, untouchedMax).map(({ name, store }) => ({ name, store })),
  }
}

/** Presents a name of the ledger as the API shows it. */
export function presentName({
  name,
  store,
  key,
  state,
  version,
  writtenAt,
}: LedgerName): ResponseOf<typeof targetEndpoints.listTargetNames>['items'][number] {
  return { name, store, key, state, version, writtenAt: toText(writtenAt) }
}

function toText(moment: Date | null): string | null {
  return moment?.toISOString() ?? null
}
