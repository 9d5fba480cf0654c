import { Problem, type ProblemLocation } from '@signalbox/contract'
import {
  acceptedBody,
  configMatrixEndpoints,
  configSchemaEndpoints,
  configValueEndpoints,
  environmentEndpoints,
  importEndpoints,
  planEndpoints,
  segmentEndpoints,
  signalEndpoints,
  type BodyOf,
  type ChangeOperation,
  type EndpointShape,
  type RequestedOperation,
} from '@signalbox/contract/rest'
import { validateBody } from '../../http/input/validate.ts'
import type { Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { createSchemaCache } from '../schemas/schema-cache.ts'
import { deleteEnvironment } from '../environments/delete-environment.ts'
import { updateEnvironment } from '../environments/update-environment.ts'
import { importConfig } from '../imports/import-config.ts'
import { deleteSchema } from '../schemas/delete-schema.ts'
import { replaceSchema } from '../schemas/replace-schema.ts'
import { toReplacement } from '../schemas/schema-routes.ts'
import { updateSchema } from '../schemas/update-schema.ts'
import { deleteSegment } from '../segments/delete-segment.ts'
import { replaceSegment } from '../segments/replace-segment.ts'
import { updateSignal } from '../signals/save-signal.ts'
import { authorizeExposure } from '../values/authorize-exposure.ts'
import { changeConfig } from '../values/change-config.ts'
import { toChangeSet, toRestores } from '../values/matrix-routes.ts'
import { promoteValues } from '../values/promote-values.ts'
import { setValues } from '../values/set-values.ts'
import { toPromotion } from '../values/value-routes.ts'
import { createPlan } from '../plans/create-plan.ts'
import { restoreVersions } from '../versions/restore-versions.ts'

/** Holds what carries out an operation. */
interface Run {
  readonly deps: ConfigDeps
  readonly caller: Caller
  /** Called where secrets become readable by others. */
  readonly authorizeReveal: () => void
}

type OperationOf<K extends ChangeOperation['kind']> = Extract<ChangeOperation, { readonly kind: K }>

/** Checks the body of an operation as its endpoint does. The effects decide about what was seen, so nothing is compared. */
function parse<E extends EndpointShape>(
  endpoint: E,
  { body: { dryRun: _dryRun, ...body } }: { readonly body: Readonly<Record<string, unknown>> },
) {
  const shape = acceptedBody(endpoint)
  if (shape === undefined) throw new TypeError(`${endpoint.operationId} takes no body`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape is that of the endpoint
  return validateBody(shape, body, ['body']) as NonNullable<BodyOf<E>>
}

/** Carries out each kind of operation by the use case of its endpoint. */
const runs: {
  readonly [K in ChangeOperation['kind']]: (run: Run, operation: OperationOf<K>) => Promise<unknown>
} = {
  async values({ deps, caller }, operation) {
    const body = parse(configMatrixEndpoints.changeConfig, operation)
    const change = toChangeSet(body)
    const changes = change.changes.map((each) => ({ ...each, expectedVersion: undefined }))
    if (operation.replace === undefined) return changeConfig(deps, caller, { ...change, changes })
    const [only, ...others] = changes
    if (only === undefined || others.length > 0) throw notReplaceable()
    const { environmentId, set, rules, unset, turn } = only
    if (unset.length > 0 || Object.keys(turn).length > 0) throw notReplaceable()
    return setValues(deps, caller, {
      ...change,
      environmentId,
      values: set,
      rules,
      replace: operation.replace,
      ifMatch: undefined,
    })
  },
  schema({ deps, caller, authorizeReveal }, operation) {
    const body = parse(configSchemaEndpoints.replaceConfigSchema, operation)
    const isMeant = (body.exposeKeys ?? []).length > 0
    authorizeExposure({ authorizeReveal }, caller, { isMeant, dryRun: false })
    return replaceSchema(deps, caller, operation.schemaId, {
      ...toReplacement(body),
      ifMatch: undefined,
      readOnly: {},
    })
  },
  rename({ deps, caller }, operation) {
    const body = parse(configSchemaEndpoints.updateConfigSchema, operation)
    const confirmation = toConfirmation(body)
    return updateSchema(deps, caller, operation.schemaId, {
      name: body.name,
      description: body.description,
      confirmation,
      ifMatch: undefined,
    })
  },
  restore({ deps, caller, authorizeReveal }, operation) {
    const body = parse(configMatrixEndpoints.restoreConfigVersions, operation)
    authorizeExposure({ authorizeReveal }, caller, { isMeant: body.force === true, dryRun: false })
    const restored = toRestores(body)
    const restores = restored.restores.map((each) => ({ ...each, expectedVersion: undefined }))
    return restoreVersions(deps, caller, { ...restored, restores })
  },
  promote({ deps, caller, authorizeReveal }, operation) {
    const body = parse(configValueEndpoints.promoteConfigValues, operation)
    return promoteValues(deps, caller, {
      ...toPromotion(body),
      expectedSourceVersion: undefined,
      authorizeSecrets: () => authorizeExposure({ authorizeReveal }, caller),
      ifMatch: undefined,
    })
  },
  segment({ deps, caller }, operation) {
    const { description, anyOf, ...body } = parse(segmentEndpoints.replaceSegment, operation)
    return replaceSegment(deps, caller, operation.segment, {
      description,
      anyOf,
      dryRun: false,
      confirmation: toConfirmation(body),
      ifMatch: undefined,
      readOnly: {},
    })
  },
  environment({ deps, caller, authorizeReveal }, operation) {
    const body = parse(environmentEndpoints.updateEnvironment, operation)
    return updateEnvironment(deps, caller, operation.environmentId, {
      ...body,
      readOnly: {},
      confirmation: toConfirmation(body),
      ifMatch: undefined,
      authorizeSecrets: () => authorizeExposure({ authorizeReveal }, caller),
    })
  },
  signal({ deps, caller }, operation) {
    const body = parse(signalEndpoints.updateSignal, operation)
    return updateSignal(deps, caller, operation.id, {
      ...body,
      confirmation: toConfirmation(body),
      ifMatch: undefined,
    })
  },
  import: ({ deps, caller }, operation) =>
    importConfig(deps, caller, parse(importEndpoints.importConfig, operation)),
  plan({ deps, caller }, operation) {
    const body = parse(planEndpoints.createRolloutPlan, operation)
    return createPlan(deps, caller, { ...body, confirmation: toConfirmation(body) })
  },
  delete({ deps, caller }, { path, force = false, ...operation }) {
    const [, collection, name = ''] = path.split('/')
    const removal = { force, confirmation: toConfirmation(operation), ifMatch: undefined }
    if (collection === 'environments') return deleteEnvironment(deps, caller, name, removal)
    if (collection === 'segments') return deleteSegment(deps, caller, name, removal)
    return deleteSchema(deps, caller, name, removal)
  },
}

function notReplaceable(): Problem {
  const detail =
    'With "replace", name one environment, and give its values in "set" and "rules" alone. Leave "replace" out to use "unset" and "turn".'
  const errors: ProblemLocation[] = [
    { pointer: '/body/changes', code: 'validation_failed', detail },
  ]
  return new Problem('validation_failed', detail, { errors })
}

/** Returns the changes of an operation, each with the path that leads to it. */
export function listOperations(
  operation: RequestedOperation,
): readonly (readonly [ChangeOperation, path: string])[] {
  if (operation.kind !== 'apply') return [[operation, '']]
  return operation.operations.map((each, at) => [each, `/operations/${at}`] as const)
}

/**
 * Carries out an operation in an open transaction: all of it or nothing. What it changes goes to `deps.approvalCheck`.
 *
 * @throws {Problem} what the endpoints answer, with pointers into the operation
 */
export async function runOperation(
  { deps, ...run }: Run,
  tx: Tx,
  operation: RequestedOperation,
): Promise<void> {
  const store = {
    transaction: <T>(_scope: unknown, work: (inner: Tx) => Promise<T>) => work(tx),
    announce: () => undefined,
  }
  // A definition that is rolled back would stay in the cache of the service under a revision that another one gets.
  const within = { ...deps, store, schemas: createSchemaCache() }
  for (const [each, path] of listOperations(operation)) {
    const start: (run: Run, operation: never) => Promise<unknown> = runs[each.kind]
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has each kind's own function
      await start({ ...run, deps: within }, each as never)
    } catch (error) {
      throw error instanceof Problem ? below(error, `/operation${path}`) : error
    }
  }
}

/** Returns a problem whose pointers lead into the operation of a request. */
function below(problem: Problem, path: string): Problem {
  const errors = problem.errors?.map((error) => ({
    ...error,
    pointer: error.pointer.startsWith('/body')
      ? `${path}${error.pointer}`
      : `${path}/body${error.pointer}`,
  }))
  return new Problem(problem.code, problem.message, {
    ...(errors !== undefined && { errors }),
    extensions: problem.extensions,
    cause: problem,
  })
}
