import {
  configVersionEndpoints as endpoints,
  time,
  type ResponseOf,
} from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import { authorizeExposure } from '../values/authorize-exposure.ts'
import { readRules } from '../../config-model/constraints/check-rules.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import { getVersion } from './get-version.ts'
import { listAllVersions, listVersions } from './list-versions.ts'
import { restoreVersions, type RestoredVersions } from './restore-versions.ts'
import { toCaller } from '../to-caller.ts'
import type { KeyChange, ValueChange } from '../../config-model/value-changes.ts'
import type { VersionRow } from './version-rows.ts'

type ConfigVersion = ResponseOf<typeof endpoints.listConfigVersions>['items'][number]
type ShownChange = ResponseOf<typeof endpoints.getConfigVersion>['changes'][number]

/** Renders a change as the API shows it, with its rules parsed. */
export function presentChange({
  rulesBefore,
  rulesAfter,
  segments,
  ...change
}: ValueChange): ShownChange {
  return {
    ...change,
    ...(rulesBefore !== undefined && { rulesBefore: readRules(rulesBefore) }),
    ...(rulesAfter !== undefined && { rulesAfter: readRules(rulesAfter) }),
    ...(segments !== undefined && { segments: [...segments] }),
  }
}

/**
 * Returns which keys changed, without what they hold. Replayed answers use it: they are stored in the clear for a day,
 * and a key may become a secret in that time.
 */
export function withoutValues(changes: readonly KeyChange[]): ConfigVersion['changes'] {
  return changes.map(({ key, tier, change }) => ({ key, tier, change }))
}

/** Renders a version as lists show it: which keys it changed, and no values. */
export function presentVersion(row: VersionRow): ConfigVersion {
  const { id, schemaId, environmentId, version, kind, author, comment } = row
  return {
    id,
    schemaId,
    environmentId,
    version,
    kind,
    author,
    comment,
    changes: withoutValues(row.changes),
    createdAt: row.createdAt.toISOString(),
  }
}

/** Renders the version that a restored one became; of a dry run the one to restore. */
function presentRestored(
  { restored: [old], environments: [changed], leftOut }: RestoredVersions,
  presentAll: (changes: readonly ValueChange[]) => ShownChange[],
): ResponseOf<typeof endpoints.restoreConfigVersion> {
  if (old === undefined) throw new Error('One version was to be restored')
  return {
    ...presentVersion(changed?.version ?? old),
    changes: presentAll(changed?.changes ?? []),
    leftOut: leftOut.map(({ key, reason }) => ({ key, reason })),
  }
}

/** Carries both orders: the versions of one environment are listed by number, those of several by time. */
const position = z.object({ version: z.number().int(), at: time, id: z.string() })

/** Serves the endpoints of versions: listing, comparing, restoring. */
export function mountVersions(router: Router, deps: ConfigDeps): void {
  router
    .addPage(endpoints.listConfigVersions, {
      position,
      list({ query, ...request }, { after, limit }) {
        const { schemaId, environmentId, key } = query
        const filter = { schemaId, key, limit }
        const caller = toCaller(request)
        return environmentId === undefined
          ? listAllVersions(deps, caller, { ...filter, before: after })
          : listVersions(deps, caller, { ...filter, environmentId, below: after?.version })
      },
      positionOf: ({ version, createdAt, id }) => ({ version, at: createdAt.toISOString(), id }),
      present: (row) => ({ ...presentVersion(row), changes: row.changes.map(presentChange) }),
    })
    .add(endpoints.getConfigVersion, {
      handle: ({ query, ...request }) =>
        getVersion(deps, toCaller(request), {
          versionId: request.params.version_id,
          against: query.against,
        }),
      present: ({ version, against, changes }) => ({
        ...presentVersion(version),
        against,
        changes: changes.map(presentChange),
      }),
    })
    .add(endpoints.restoreConfigVersion, {
      handle({ body, ...request }) {
        const caller = toCaller(request)
        const { dryRun = false, force = false } = body
        authorizeExposure(request, caller, { isMeant: force, dryRun })
        return restoreVersions(deps, caller, {
          restores: [{ versionId: request.params.version_id, expectedVersion: request.ifMatch }],
          confirmation: toConfirmation(body),
          include: body.include ?? [],
          dryRun,
          force,
        })
      },
      present: (restored) => presentRestored(restored, (changes) => changes.map(presentChange)),
      presentReplay: (restored) => presentRestored(restored, withoutValues),
    })
}
