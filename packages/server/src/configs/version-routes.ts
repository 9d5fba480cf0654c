import { configEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import { readRules } from './check-rules.ts'
import type { ConfigDeps } from './config-deps.ts'
import { getVersion } from './get-version.ts'
import { listVersions } from './list-versions.ts'
import { restoreVersion } from './restore-version.ts'
import { toCaller } from './to-caller.ts'
import { toPage } from './to-page.ts'
import type { KeyChange, ValueChange } from './value-changes.ts'
import type { VersionRow } from './version-rows.ts'

type ConfigVersion = ResponseOf<typeof endpoints.listConfigVersions>['items'][number]
type ShownChange = ResponseOf<typeof endpoints.getConfigVersion>['changes'][number]

/** A change as it is shown, with its rules read. */
export function presentChange({ rulesBefore, rulesAfter, ...change }: ValueChange): ShownChange {
  return {
    ...change,
    ...(rulesBefore !== undefined && { rulesBefore: readRules(rulesBefore) }),
    ...(rulesAfter !== undefined && { rulesAfter: readRules(rulesAfter) }),
  }
}

/**
 * Which keys changed, without what they hold. A repeat is answered so: its answer lies in the database in the clear for a
 * day, and a key may become a secret in that time.
 */
export function withoutValues(changes: readonly KeyChange[]): ConfigVersion['changes'] {
  return changes.map(({ key, tier, change }) => ({ key, tier, change }))
}

/** A version as lists show it: which keys it changed, and no values. */
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

export function mountVersions(router: Router, deps: ConfigDeps): void {
  router
    .add(endpoints.listConfigVersions, {
      async handle({ query, ...request }) {
        const { schemaId, environmentId, limit } = query
        const below = request.readCursor(z.number().int())
        const asked = { schemaId, environmentId, below, limit }
        return toPage(await listVersions(deps, toCaller(request), asked), limit)
      },
      present: ({ items, last }, request) => ({
        items: items.map(presentVersion),
        nextCursor: last === undefined ? null : request.writeCursor(last.version),
      }),
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
      handle: ({ body, ...request }) =>
        restoreVersion(deps, toCaller(request), {
          versionId: request.params.version_id,
          comment: body.comment,
          dryRun: body.dryRun ?? false,
          force: body.force ?? false,
          ifMatch: request.ifMatch,
        }),
      present: ({ version, changes }) => ({
        ...presentVersion(version),
        changes: changes.map(presentChange),
      }),
      presentReplay: ({ version, changes }) => ({
        ...presentVersion(version),
        changes: withoutValues(changes),
      }),
    })
}
