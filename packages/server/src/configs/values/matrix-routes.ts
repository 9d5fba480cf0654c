import { restoreExceptions } from '@signalbox/contract'
import {
  configMatrixEndpoints as endpoints,
  type BodyOf,
  type ResponseOf,
} from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'
import { authorizeExposure } from './authorize-exposure.ts'
import { changeConfig, type ChangeConfig, type ChangedConfig } from './change-config.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { getCurrentValues } from '../../config-model/current-values.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import { getMatrix } from './get-matrix.ts'
import { presentMatrix } from './present-matrix.ts'
import {
  restoreVersions,
  type RestoredVersions,
  type RestoreVersions,
} from '../versions/restore-versions.ts'
import { createSecretDigests } from './secret-digests.ts'
import { toCaller } from '../to-caller.ts'
import type { ValueChange } from '../../config-model/value-changes.ts'
import { presentChange, presentVersion, withoutValues } from '../versions/version-routes.ts'

type ConfigChangeSet = ResponseOf<typeof endpoints.changeConfig>
type ShownChanges = ConfigChangeSet['environments'][number]['changes']

/** Serves the endpoints about several environments at once: the matrix, change sets, restoring versions. */
export function mountMatrix(router: Router, deps: ConfigDeps): void {
  const matrixDeps = { ...deps, digests: createSecretDigests() }
  router
    .add(endpoints.getConfigMatrix, {
      async handle({ query, ...request }) {
        const { schemaId, environmentId: environmentIds } = query
        return presentMatrix(
          await getMatrix(matrixDeps, toCaller(request), { schemaId, environmentIds }),
        )
      },
      present: (matrix) => matrix,
    })
    .add(endpoints.changeConfig, {
      handle: ({ body, ...request }) => changeConfig(deps, toCaller(request), toChangeSet(body)),
      present: (changed) => present(changed, presentChanges),
      presentReplay: (changed) => present(changed, withoutValues),
    })
    .add(endpoints.restoreConfigVersions, {
      handle({ body, ...request }) {
        const caller = toCaller(request)
        const restores = toRestores(body)
        authorizeExposure(request, caller, { ...restores, isMeant: restores.force })
        return restoreVersions(deps, caller, restores)
      },
      present: (restored) => presentRestored(restored, presentChanges),
      presentReplay: (restored) => presentRestored(restored, withoutValues),
    })
}

/** Returns the change set that a request asks for. */
export function toChangeSet(body: BodyOf<typeof endpoints.changeConfig>): ChangeConfig {
  return {
    schemaId: body.schemaId,
    changes: body.changes.map(({ environmentId, expectedVersion, ...change }) => ({
      environmentId,
      expectedVersion,
      set: change.set ?? {},
      rules: change.rules ?? {},
      unset: change.unset ?? [],
      turn: change.turn ?? {},
    })),
    allowPlain: body.allowPlain ?? [],
    confirmation: toConfirmation(body),
    dryRun: body.dryRun ?? false,
  }
}

/** Returns the versions that a request restores. */
export function toRestores(body: BodyOf<typeof endpoints.restoreConfigVersions>): RestoreVersions {
  return {
    restores: body.restores.map(({ versionId, expectedVersion, keys }, at) => {
      return { versionId, expectedVersion, keys, path: ['restores', at] }
    }),
    confirmation: toConfirmation(body),
    include: body.include ?? [],
    dryRun: body.dryRun ?? false,
    force: body.force ?? false,
  }
}

function presentChanges(changes: readonly ValueChange[]): ShownChanges {
  return changes.map(presentChange)
}

type PresentChanges = (changes: readonly ValueChange[]) => ShownChanges

function presentRestored(
  restored: RestoredVersions,
  presentAll: PresentChanges,
): ResponseOf<typeof endpoints.restoreConfigVersions> {
  return { ...present(restored, presentAll), leftOut: [...restored.leftOut] }
}

function present(
  changed: RestoredVersions | ChangedConfig,
  presentAll: PresentChanges,
): ConfigChangeSet {
  const { problems, conflicts } = 'problems' in changed ? changed : { problems: [], conflicts: [] }
  const { environments, requires, personRequired, undo, state } = changed
  return {
    environments: environments.map(({ environmentId, changes, version }) => ({
      environmentId,
      changes: presentAll(changes),
      version: version === undefined ? null : presentVersion(version),
      currentVersion: getCurrentValues(state, environmentId).version,
    })),
    problems: [...problems],
    requires: [...requires],
    personRequired: [...personRequired],
    conflicts: [...conflicts],
    undo: undo.length === 0 ? null : { restores: [...undo], include: [...restoreExceptions] },
  }
}
