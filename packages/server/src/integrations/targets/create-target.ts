import { Problem } from '@signalbox/contract'
import { makerOf } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { AuditAction } from '../../audit/audit-event.ts'
import type { Caller } from '../../config-model/caller.ts'
import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import { listSchemaRows } from '../../configs/schemas/schema-rows.ts'
import { newId } from '../../crypto/ids.ts'
import { displayNameOf, findDestination } from '../../providers/find-provider.ts'
import type { TargetDescriptor, TargetAddress, TargetSettings } from '../../providers/target.ts'
import type { Tx } from '../../store/store.ts'
import { sqlStateOf } from '../../store/store-problem.ts'
import { askDestination } from './explain-failure.ts'
import type { TargetDeps } from './target-deps.ts'
import { findAddress, insertTargetRow } from './target-rows.ts'
import { tokenContext, type Target, type ShownTarget, type TargetSelection } from './target.ts'

/** Describes a target as a request gives it. */
export interface GivenTarget extends TargetSelection {
  readonly name: string
  readonly schemaId: string
  readonly environmentId: string
  readonly provider: string
  readonly destination: TargetSettings
  readonly token?: string | undefined
}

const targetsPerOrganization = 50
const uniqueViolation = '23505'

/**
 * Creates a target, after the provider has shown that the destination exists. Nothing is written before its first run.
 *
 * @throws {Problem} `validation_failed`, `already_exists`, `quota_exceeded`, `provider_error`, `integration_not_connected`,
 * `reauth_required`
 */
export async function createTarget(
  deps: TargetDeps,
  caller: Caller,
  fields: GivenTarget,
): Promise<ShownTarget> {
  const { orgId } = caller
  const descriptor = requireDestination(fields)
  requireSelection(fields)
  const destination = requireSettings(descriptor, fields.destination)
  // The transaction that stores the target claims the Idempotency-Key, and this one only looks.
  const { idempotency: _key, ...scope } = caller.scope
  const named = await deps.store.transaction(scope, (tx) => requireSource(tx, orgId, fields))
  const address = await locate(deps, orgId, { ...fields, destination })
  try {
    return await deps.store.transaction(caller.scope, async (tx) => {
      await requireSource(tx, orgId, fields)
      await requireQuota(tx, orgId, address)
      const target = toTarget({ ...fields, destination }, address, {
        caller,
        createdAt: deps.now(),
      })
      const { token } = fields
      const sealer = token === undefined ? undefined : await deps.keys.getSealer(tx, orgId)
      const sealedToken = sealer?.seal(tokenContext(orgId, target.id), token ?? '') ?? null
      const sealed = { ...target, sealedToken }
      await insertTargetRow(tx, orgId, sealed)
      recordTargetEvent(tx, caller, { action: 'target.created', target })
      return { ...sealed, ...named, names: 0 }
    })
  } catch (error) {
    if (sqlStateOf(error) !== uniqueViolation) throw error
    throw addressTaken(address, 'another target')
  }
}

/** Names what a target is about. */
interface SourceNames {
  readonly schema: string
  readonly environment: string
}

async function requireSource(
  tx: Tx,
  orgId: string,
  { schemaId, environmentId }: Pick<GivenTarget, 'schemaId' | 'environmentId'>,
): Promise<SourceNames> {
  const schema = (await listSchemaRows(tx, orgId)).find(({ id }) => id === schemaId)
  if (schema === undefined) throw invalid('/schemaId', 'There is no such schema.')
  const environment = (await listEnvironmentRows(tx, orgId)).find(({ id }) => id === environmentId)
  if (environment === undefined) throw invalid('/environmentId', 'There is no such environment.')
  return { schema: schema.name, environment: environment.name }
}

function requireDestination({ provider, token }: GivenTarget): TargetDescriptor {
  const destination = findDestination(provider)
  if (destination === undefined)
    throw invalid('/provider', 'Signalbox does not write to this provider.')
  const { access } = destination.target
  if (access === 'token' && token === undefined) {
    throw invalid('/token', `Enter a token of ${destination.displayName}.`)
  }
  if (access === 'integration' && token !== undefined) {
    throw invalid(
      '/token',
      `Signalbox uses the connected ${destination.displayName}. Leave out the token.`,
    )
  }
  return destination.target
}

/** Refuses a target that would write nothing. @throws {Problem} `validation_failed` */
export function requireSelection({ tiers, keys }: Pick<TargetSelection, 'tiers' | 'keys'>): void {
  if (tiers.length + keys.length > 0) return
  throw invalid('/tiers', 'Choose at least one tier or one key.')
}

function requireSettings({ fields }: TargetDescriptor, settings: TargetSettings): TargetSettings {
  const known = new Set(fields.map(({ name }) => name))
  const unknown = Object.keys(settings).find((name) => !known.has(name))
  if (unknown !== undefined) throw invalid('/destination', 'The provider has no such field.')
  const entries = fields.flatMap(({ name, isRequired, kind, choices = [], check }) => {
    const value = (settings[name] ?? '').trim()
    const at = `/destination/${name}`
    if (value === '') {
      if (isRequired) throw invalid(at, 'This field must not be empty.')
      return []
    }
    if (kind === 'choice' && choices.every((choice) => choice.value !== value)) {
      throw invalid(at, `Choose one of ${choices.map((choice) => choice.value).join(', ')}.`)
    }
    if (check !== undefined && !check.accepts(value)) throw invalid(at, check.advice)
    return [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

async function locate(
  deps: TargetDeps,
  orgId: string,
  { provider, token, destination }: Pick<GivenTarget, 'provider' | 'token' | 'destination'>,
): Promise<TargetAddress> {
  const destinationName = Object.values(destination).join(', ')
  return askDestination(deps, { provider, destinationName }, async () =>
    (await deps.openTarget({ orgId, provider, token })).locate(destination),
  )
}

async function requireQuota(tx: Tx, orgId: string, address: TargetAddress): Promise<void> {
  const { count, name } = await findAddress(tx, orgId, address.id)
  if (name !== null) throw addressTaken(address, `the target ${name}`)
  if (count < targetsPerOrganization) return
  const detail = `An organization has at most ${targetsPerOrganization} targets. Delete one first.`
  throw new Problem('quota_exceeded', detail)
}

function addressTaken({ name }: TargetAddress, by: string): Problem {
  const detail = `${by.charAt(0).toUpperCase()}${by.slice(1)} writes to ${name} already. Two targets would overwrite each other there: change that one, or choose another destination.`
  return new Problem('already_exists', detail, {
    errors: [{ pointer: '/destination', code: 'already_exists', detail }],
  })
}

function toTarget(
  fields: GivenTarget,
  address: TargetAddress,
  { caller, createdAt }: { readonly caller: Caller; readonly createdAt: Date },
): Target {
  return {
    id: newId('tgt', createdAt),
    name: fields.name,
    schemaId: fields.schemaId,
    environmentId: fields.environmentId,
    provider: fields.provider,
    destination: fields.destination,
    address: address.id,
    addressData: address.data,
    destinationName: address.name,
    url: address.url,
    tiers: [...new Set(fields.tiers)],
    keys: [...new Set(fields.keys)],
    prefix: fields.prefix,
    state: 'planned',
    demand: 0,
    done: 0,
    leaseUntil: null,
    fence: 0,
    writtenVersion: null,
    lastRunAt: null,
    lastOkAt: null,
    healthReason: null,
    healthDetail: null,
    healthStep: null,
    healthUrl: null,
    failingSince: null,
    createdAt,
    createdBy: makerOf(caller),
    keeperId: caller.scope.userId ?? null,
  }
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'validation_failed', detail }],
  })
}

/** Describes what somebody did to a target. */
interface TargetEvent {
  readonly action: AuditAction
  readonly target: Target
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Records what somebody did to a target: where which keys of which environment go, and no value. */
export function recordTargetEvent(
  tx: Tx,
  { orgId, author, request }: Pick<Caller, 'orgId' | 'author'> & Partial<Pick<Caller, 'request'>>,
  { action, target, detail }: TargetEvent,
): void {
  const { id, name, schemaId, environmentId, provider, destinationName, tiers, keys, prefix } =
    target
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    ...(request !== undefined && { request }),
    action,
    target: { type: 'target', id, name },
    detail: {
      provider: displayNameOf(provider),
      destination: destinationName,
      schemaId,
      environmentId,
      tiers,
      keys,
      ...(prefix !== '' && { prefix }),
      ...detail,
    },
  })
}
