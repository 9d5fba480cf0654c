import type { RequestedOperation } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'
import { findEnvironmentRow } from '../environments/environment-rows.ts'
import { findSchemaRow } from '../schemas/schema-rows.ts'

type Fields = Readonly<Record<string, unknown>>

/** Holds the parts of a write, as its endpoint has checked them. */
export interface WrittenRequest {
  readonly params: Fields
  readonly query?: Fields | undefined
  readonly body?: Fields | undefined
}

interface Write {
  readonly tx: Tx
  readonly orgId: string
  readonly params: Fields
  readonly query: Fields
  readonly body: Fields
}

/** Leaves out what says how a request is carried out, and not what it changes; and the fields that were not sent. */
function meant({ dryRun: _dryRun, expectedSourceVersion: _version, ...body }: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

function withoutVersions(list: unknown): readonly Fields[] {
  return (Array.isArray(list) ? list : []).map(
    ({ expectedVersion: _version, ...each }: Fields) => each,
  )
}

async function schemaIdOf({ tx, orgId, params }: Write): Promise<string> {
  const ref = String(params['schema_id'])
  return (await findSchemaRow(tx, orgId, ref))?.id ?? ref
}

async function environmentIdOf({ tx, orgId, params }: Write): Promise<string> {
  const ref = String(params['environment_id'])
  return (await findEnvironmentRow(tx, orgId, ref))?.id ?? ref
}

const confirmationOf = ({ confirm, comment }: Fields) => meant({ confirm, comment })

/** Returns the operation that does what each endpoint does at once. */
const operations: Readonly<Record<string, (write: Write) => Promise<object> | object>> = {
  changeConfig: ({ body }) => ({
    kind: 'values',
    body: { ...meant(body), changes: withoutVersions(body['changes']) },
  }),
  setConfigValues({ body, query }) {
    const { environmentId, values, rules, ...rest } = meant(body)
    const changes = [meant({ environmentId, set: values, rules })]
    return { kind: 'values', replace: query['replace'] === true, body: { ...rest, changes } }
  },
  deleteConfigValues: ({ query: { schemaId, environmentId, key, ...query } }) => ({
    kind: 'values',
    body: { schemaId, changes: [{ environmentId, unset: key }], ...confirmationOf(query) },
  }),
  createRolloutPlan: ({ body }) => ({ kind: 'plan', body: meant(body) }),
  promoteConfigValues: ({ body }) => ({ kind: 'promote', body: meant(body) }),
  restoreConfigVersion: ({ params, body }) => ({
    kind: 'restore',
    body: { ...meant(body), restores: [{ versionId: params['version_id'] }] },
  }),
  restoreConfigVersions: ({ body }) => ({
    kind: 'restore',
    body: { ...meant(body), restores: withoutVersions(body['restores']) },
  }),
  replaceConfigSchema: async (write) => ({
    kind: 'schema',
    schemaId: await schemaIdOf(write),
    body: meant(write.body),
  }),
  updateConfigSchema: async (write) => ({
    kind: 'rename',
    schemaId: await schemaIdOf(write),
    body: meant(write.body),
  }),
  deleteConfigSchema: async (write) => ({
    kind: 'delete',
    path: `/config-schemas/${await schemaIdOf(write)}`,
    force: write.query['force'] === true,
    ...confirmationOf(write.query),
  }),
  replaceSegment: ({ params, body }) => ({
    kind: 'segment',
    segment: params['segment'],
    body: meant(body),
  }),
  updateEnvironment: async (write) => ({
    kind: 'environment',
    environmentId: await environmentIdOf(write),
    body: meant(write.body),
  }),
  deleteEnvironment: async (write) => ({
    kind: 'delete',
    path: `/environments/${await environmentIdOf(write)}`,
    force: write.query['force'] === true,
    ...confirmationOf(write.query),
  }),
  updateSignal: ({ params, body }) => ({
    kind: 'signal',
    id: params['signal_id'],
    body: meant(body),
  }),
  importConfig: ({ body }) => ({ kind: 'import', body: meant(body) }),
}

/** Returns the operation of a write that needs approvals; `undefined` for an endpoint that no request stands for. */
export async function toOperation(
  tx: Tx,
  orgId: string,
  operationId: string,
  { params, query = {}, body = {} }: WrittenRequest,
): Promise<RequestedOperation | undefined> {
  const operation = await operations[operationId]?.({ tx, orgId, params, query, body })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the endpoint has checked the parts of it
  return operation as RequestedOperation | undefined
}
