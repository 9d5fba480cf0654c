import {
  configValueEndpoints as endpoints,
  type BodyOf,
  type ResponseOf,
} from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'
import { authorizeExposure } from './authorize-exposure.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { mayReveal } from '../../config-model/caller.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import { deleteValues } from './delete-values.ts'
import { createFirstReads } from './first-reads.ts'
import { getBrowserValues } from './get-browser-values.ts'
import { getValues } from './get-values.ts'
import { getCurrentValues } from '../../config-model/current-values.ts'
import { promoteValues, type PromotedValues } from './promote-values.ts'
import { setValues } from './set-values.ts'
import { renderValues, toShownValues } from './show-values.ts'
import { toCaller } from '../to-caller.ts'
import { presentChange, presentVersion, withoutValues } from '../versions/version-routes.ts'

type StoredValues = ResponseOf<typeof endpoints.getConfigValues>

/** Serves the endpoints about the values of one environment: set, get, delete, promote. */
export function mountValues(router: Router, deps: ConfigDeps): void {
  const firstReads = createFirstReads(deps.now)
  router
    .add(endpoints.setConfigValues, {
      async handle({ body, query, ...request }) {
        const caller = toCaller(request)
        const written = await setValues(deps, caller, {
          schemaId: body.schemaId,
          environmentId: body.environmentId,
          values: body.values,
          rules: body.rules ?? {},
          replace: query.replace,
          allowPlain: body.allowPlain ?? [],
          confirmation: toConfirmation(body),
          dryRun: body.dryRun ?? false,
          ifMatch: request.ifMatch,
        })
        return renderValues(toShownValues(caller, written))
      },
      present: presentValues,
      versionOf,
    })
    .add(endpoints.getConfigValues, {
      async handle({ query, ...request }) {
        const caller = toCaller(request)
        const { actor } = request
        if (query.reveal && mayReveal(caller, query)) request.authorizeReveal()
        // Browser keys and other callers share no query from here on.
        const selection = { ...query, keys: query.key }
        if (actor.type === 'api_key' && actor.kind === 'b2m')
          return getBrowserValues(deps, caller, selection)
        const values = await getValues({ ...deps, firstReads }, caller, selection)
        if (actor.type === 'api_key' && (values.secrets?.size ?? 0) > 0) deps.noteSecretRead(actor)
        return renderValues(values)
      },
      present: presentValues,
      versionOf,
    })
    .add(endpoints.deleteConfigValues, {
      async handle({ query, ...request }) {
        const caller = toCaller(request)
        const written = await deleteValues(deps, caller, {
          schemaId: query.schemaId,
          environmentId: query.environmentId,
          keys: query.key,
          confirmation: toConfirmation(query, 'query'),
          ifMatch: request.ifMatch,
        })
        return renderValues(toShownValues(caller, written))
      },
      present: presentValues,
      versionOf,
    })
  mountPromotion(router, deps)
}

function mountPromotion(router: Router, deps: ConfigDeps): void {
  router.add(endpoints.promoteConfigValues, {
    handle({ body, ...request }) {
      const caller = toCaller(request)
      return promoteValues(deps, caller, {
        ...toPromotion(body),
        authorizeSecrets: () => authorizeExposure(request, caller),
        ifMatch: request.ifMatch,
      })
    },
    present: presentPromotion,
    presentReplay: (written) => ({
      ...presentPromotion(written),
      changes: withoutValues(written.changes),
    }),
  })
}

/** Returns what a request promotes. */
export function toPromotion(body: BodyOf<typeof endpoints.promoteConfigValues>) {
  return {
    schemaId: body.schemaId,
    fromEnvironmentId: body.fromEnvironmentId,
    toEnvironmentId: body.toEnvironmentId,
    keys: body.keys,
    include: body.include ?? [],
    allowPlain: body.allowPlain ?? [],
    confirmation: toConfirmation(body),
    dryRun: body.dryRun ?? false,
    expectedSourceVersion: body.expectedSourceVersion,
  }
}

function presentValues(values: StoredValues): StoredValues {
  return values
}

function versionOf({ version }: StoredValues): number {
  return version
}

function presentPromotion({
  changes,
  version,
  state,
  environmentId,
  sourceVersion,
  leftOut,
  requires,
}: PromotedValues): ResponseOf<typeof endpoints.promoteConfigValues> {
  return {
    changes: changes.map(presentChange),
    leftOut: [...leftOut],
    requires: [...requires],
    version: version === undefined ? null : presentVersion(version),
    currentVersion: getCurrentValues(state, environmentId).version,
    sourceVersion,
  }
}
