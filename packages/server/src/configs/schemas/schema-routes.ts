import {
  configSchemaEndpoints as endpoints,
  type BodyOf,
  type ResponseOf,
} from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import { authorizeExposure } from '../values/authorize-exposure.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import { createSchema } from './create-schema.ts'
import { deleteSchema } from './delete-schema.ts'
import { getReport } from './get-report.ts'
import { getSchema, listSchemas } from './list-schemas.ts'
import { replaceSchema, type ReplacedSchema } from './replace-schema.ts'
import { presentReport } from './present-report.ts'
import type { EnvironmentReport } from './report-environments.ts'
import { withoutSecrets, type ShownSchema } from './shown-schema.ts'
import { toCaller } from '../to-caller.ts'
import { updateSchema } from './update-schema.ts'

type ConfigSchema = ResponseOf<typeof endpoints.getConfigSchema>

function present({ row, secretDefaults }: ShownSchema): ConfigSchema {
  const keys = Object.entries(row.definition).map(([key, rule]) => {
    const value = secretDefaults.get(key)
    return [key, value === undefined ? { ...rule } : { ...rule, default: value }] as const
  })
  const { id, name, description, revision } = row
  return {
    id,
    name,
    description,
    revision,
    schema: Object.fromEntries(keys),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/**
 * Leaves out the defaults: a replayed answer is stored in the clear for a day, and any key may become a secret in that
 * time.
 */
function presentWithoutDefaults({ row }: ShownSchema): ConfigSchema {
  const schema = present(withoutSecrets(row))
  const keys = Object.entries(schema.schema).map(
    ([key, { default: _default, ...rule }]) => [key, rule] as const,
  )
  return { ...schema, schema: Object.fromEntries(keys) }
}

/** Serves the endpoints of schemas. */
export function mountSchemas(router: Router, deps: ConfigDeps): void {
  mountReads(router, deps)
  router
    .add(endpoints.createConfigSchema, {
      handle: (request) =>
        createSchema(deps, toCaller(request), {
          ...request.body,
          description: request.body.description,
          allowPlain: request.body.allowPlain ?? [],
        }),
      present,
      versionOf,
      presentReplay: presentWithoutDefaults,
    })
    .add(endpoints.replaceConfigSchema, {
      handle({ body, ...request }) {
        const caller = toCaller(request)
        const replacement = toReplacement(body)
        const isMeant = replacement.exposeKeys.length > 0
        authorizeExposure(request, caller, { ...replacement, isMeant })
        return replaceSchema(deps, caller, request.params.schema_id, {
          ...replacement,
          ifMatch: request.ifMatch,
          readOnly: request.readOnly,
        })
      },
      present: (replaced: ReplacedSchema) => ({
        ...present(replaced),
        report: replaced.report.map(presentReport),
        requires: [...replaced.requires],
      }),
      versionOf,
    })
    .add(endpoints.updateConfigSchema, {
      handle: ({ body, ...request }) =>
        updateSchema(deps, toCaller(request), request.params.schema_id, {
          name: body.name,
          description: body.description,
          confirmation: toConfirmation(body),
          ifMatch: request.ifMatch,
        }),
      present,
      versionOf,
    })
    .add(endpoints.deleteConfigSchema, {
      handle: (request) =>
        deleteSchema(deps, toCaller(request), request.params.schema_id, {
          force: request.query.force,
          confirmation: toConfirmation(request.query, 'query'),
          ifMatch: request.ifMatch,
        }),
    })
}

/** Returns the definition that a request asks for. */
export function toReplacement(body: BodyOf<typeof endpoints.replaceConfigSchema>) {
  return {
    description: body.description,
    schema: body.schema,
    environmentId: body.environmentId,
    dryRun: body.dryRun ?? false,
    force: body.force ?? false,
    exposeKeys: body.exposeKeys ?? [],
    returning: body.returning ?? {},
    values: body.values ?? [],
    allowPlain: body.allowPlain ?? [],
    confirmation: toConfirmation(body),
  }
}

function mountReads(router: Router, deps: ConfigDeps): void {
  router
    .addPage(endpoints.listConfigSchemas, {
      position: z.string(),
      list: (request, page) => listSchemas(deps, toCaller(request), page),
      positionOf: ({ row }) => row.id,
      present,
    })
    .add(endpoints.getConfigSchema, {
      handle: (request) => getSchema(deps, toCaller(request), request.params.schema_id),
      present,
      versionOf,
    })
    .add(endpoints.getConfigReport, {
      handle: (request) => getReport(deps, toCaller(request), request.params.schema_id),
      present: (report: readonly EnvironmentReport[]) => ({ report: report.map(presentReport) }),
    })
}

function versionOf({ row }: ShownSchema): number {
  return row.revision
}
