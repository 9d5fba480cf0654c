import { requireKnownIds, describeUnknown } from '../../http/input/known-ids.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { SignalReading, SignalSpec } from '@signalbox/contract/rest'
import type { Store, Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import type { StoredDefinition } from '../../config-model/definition.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { findEnvironmentRow } from '../environments/environment-rows.ts'
import { findSchemaRow } from '../schemas/schema-rows.ts'
import { openCredential } from './credential.ts'
import { readTemplate } from './query-template.ts'
import { createSignalReader } from './read-signal.ts'
import { record } from './save-signal.ts'
import { refuse } from './signal-rules.ts'
import { findSignalRow, saveReading } from './signal-rows.ts'
import type { ReadFor, SignalRow } from './signal.ts'

/** Holds the dependencies of the endpoints of signals. */
export interface SignalDeps extends ConfigDeps {
  readonly store: ConfigDeps['store'] & Pick<Store, 'intake'>
  readonly publicUrl: () => string
}

interface TestSignal {
  readonly id: string
  readonly environmentId?: string | undefined
  readonly schemaId?: string | undefined
}

/**
 * Reads a signal now and keeps what it says. An alert counts since whenever it fires, and a query compares with an hour ago.
 *
 * @throws {Problem} `not_found`, `validation_failed` for an environment or schema that the query names and the request doesn't
 */
export async function testSignal(
  { store, keys, egress, now }: SignalDeps,
  caller: Caller,
  { id, ...of }: TestSignal,
): Promise<SignalReading> {
  const { orgId } = caller
  const at = now()
  // The call follows after the commit, so that what is recorded is what is done.
  const { row, readFor, credential } = await store.transaction(caller.scope, async (tx) => {
    const signal = await findSignalRow(tx, orgId, id)
    if (signal === undefined) throw notFound()
    const sealer = await keys.getSealer(tx, orgId)
    record(tx, caller, 'signal.tested', { row: signal })
    return {
      row: signal,
      readFor: await describeChange(tx, orgId, { row: signal, of, at }),
      credential: openCredential(sealer, orgId, signal),
    }
  })
  const reading = await createSignalReader({ egress, now }).read(row, readFor, credential)
  const { idempotency: _key, ...scope } = caller.scope
  await store.transaction(scope, (tx) => saveReading(tx, orgId, { id, reading, at }))
  return { at: at.toISOString(), ...reading }
}

interface Tested {
  readonly row: SignalRow
  readonly of: Omit<TestSignal, 'id'>
  readonly at: Date
}

/**
 * Returns a change that could be asked about, of all flags of a schema.
 *
 * @throws {Problem} `validation_failed`
 */
async function describeChange(
  tx: Tx,
  orgId: string,
  { row: { spec }, of, at }: Tested,
): Promise<ReadFor> {
  const { environmentId, schemaId } = of
  const environment = environmentId && (await findEnvironmentRow(tx, orgId, environmentId))
  const schema = schemaId && (await findSchemaRow(tx, orgId, schemaId))
  requireKnownIds(
    {
      named: [{ path: ['environmentId'], id: environmentId }],
      known: new Set(environment ? [environment.id] : []),
      detail: describeUnknown('environment'),
    },
    {
      named: [{ path: ['schemaId'], id: schemaId }],
      known: new Set(schema ? [schema.id] : []),
      detail: describeUnknown('schema'),
    },
  )
  requireNamed(spec, of)
  return {
    environment: environment ? environment.name : '',
    schema: schema ? schema.name : '',
    version: 1,
    flags: schema ? listFlags(schema.definition) : [],
    since: spec.kind === 'alert' ? new Date(0) : new Date(at.getTime() - 60 * 60_000),
  }
}

function requireNamed(spec: SignalSpec, { environmentId, schemaId }: Tested['of']): void {
  const template = spec.kind === 'prometheus' ? readTemplate(spec.query) : undefined
  if (template === undefined || 'at' in template) return
  const { names } = template
  if (environmentId === undefined && names.has('environment'))
    throw refuse('/environmentId', 'The query names the environment. Say which one to try.')
  if (schemaId === undefined && (names.has('schema') || names.has('flag')))
    throw refuse('/schemaId', 'The query names the schema or its flags. Say which one to try.')
}

function listFlags(definition: StoredDefinition): string[] {
  return Object.entries(definition).flatMap(([key, { tier }]) =>
    tier === 'featureFlags' ? [key] : [],
  )
}
