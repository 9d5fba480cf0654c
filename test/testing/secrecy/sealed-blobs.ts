import { open, type DataKey } from '../../../packages/server/src/crypto/seal.ts'
import {
  newDataKey,
  unwrapDataKey,
  wrapDataKey,
} from '../../../packages/server/src/crypto/data-keys.ts'
import {
  defaultAddress,
  valueAddress,
} from '../../../packages/server/src/config-model/sealed-secrets.ts'
import { sealedSecretsAddress } from '../../../packages/server/src/config-model/snapshot.ts'
import { findRootKeys } from '../../../packages/server/src/vault/root-key-file.ts'
import type { Client } from '../http.ts'
import { createMaker } from '../organization.ts'
import type { ProofService } from '../proof-service.ts'

export const columns = [
  'current_values.secret_values',
  'config_versions.secret_values',
  'config_schemas.secret_defaults',
  'server_snapshots.sealed_secrets',
  'data_keys.wrapped',
] as const
type Column = (typeof columns)[number]

/** In each text that is sealed by `seal`. */
export const sealedText = 'sk_live_of_the_proof'

/** An organization whose values are sealed. */
export interface SealedOrganization {
  readonly orgId: string
  readonly serverKey: string
}

/**
 * Makes an organization by real writes: two schemas in three environments, defaults, history, inheritance, two data keys.
 */
export async function makeSealed(
  proof: ProofService,
  client: Client,
  name: string,
): Promise<SealedOrganization> {
  const maker = createMaker(client, proof.bootstrapToken)
  const { id: orgId } = await maker.organization(name)
  const org = `/organizations/${orgId}`
  const base = await maker.environment(orgId, { name: 'base' })
  const child = await maker.environment(orgId, { name: 'child', parentId: base.id })
  const alone = await maker.environment(orgId, { name: 'alone' })
  const secret = (type: string, rest = {}) => ({ type, tier: 'secret', ...rest })
  const schema = {
    stripeKey: secret('string'),
    pin: secret('number'),
    signer: secret('boolean', { default: true }),
    salt: secret('string', { default: `${sealedText} default` }),
    open: { type: 'string', tier: 'public' },
  }
  const schemas = [
    await maker.schema(orgId, { name: 'web', schema }),
    await maker.schema(orgId, { name: 'jobs', schema }),
  ]
  const write = async (n: number) => {
    for (const { id: schemaId } of schemas) {
      for (const { id: environmentId } of [base, child, alone]) {
        const values = { stripeKey: `${sealedText} ${n}`, pin: n, open: `${n}` }
        const body = { schemaId, environmentId, values }
        await maker.call(`PUT ${org}/config-values`, body)
      }
    }
  }
  await write(1)
  await addDataKey(proof, orgId)
  await write(2)
  const move = { fromEnvironmentId: base.id, toEnvironmentId: alone.id }
  const values = { signer: false, salt: 'promoted', open: 'p' }
  const [{ id: schemaId } = { id: '' }] = schemas
  await maker.call(`PUT ${org}/config-values`, { schemaId, environmentId: base.id, values })
  await maker.call(`POST ${org}/config-values/promote`, { schemaId, ...move, include: ['secret'] })
  const { secret: serverKey } = await maker.key(orgId, { name: 'server', kind: 'm2m' })
  return { orgId, serverKey }
}

/** The next data key, as the service makes one when the first has sealed too often. */
async function addDataKey(proof: ProofService, orgId: string): Promise<void> {
  const [rootKey] = findRootKeys(proof.dataDir)
  if (rootKey === undefined) throw new Error('The service made no root key')
  await proof.asOwner(
    'insert into data_keys (org_id, version, wrapped, root_key_id) values ($1, 2, $2, $3)',
    [orgId, wrapDataKey(rootKey, newDataKey(orgId, 2)), rootKey.id],
  )
}

/** A sealed value where it is stored. */
export interface Blob {
  readonly column: Column
  readonly orgId: string
  /** Identifies the value that the service opens. Blobs with the same one are former and current values of one key. */
  readonly place: string
  readonly bytes: Buffer
  /** Opens bytes as the service does when it reads this place. Throws when it refuses them. */
  readonly open: (bytes: Buffer) => Buffer
}

interface Row {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  readonly version: number
}

type Texts = Readonly<Record<string, string>>

/** Every sealed value of these organizations, each with its place. */
export async function readBlobs(
  proof: ProofService,
  orgIds: readonly string[],
): Promise<{ readonly blobs: Blob[]; readonly keys: ReadonlyMap<string, readonly DataKey[]> }> {
  const rootKeys = findRootKeys(proof.dataDir)
  const wrapped = await proof.asOwner<{ orgId: string; version: number; wrapped: Buffer }>(
    'select org_id as "orgId", version, wrapped from data_keys order by 1, 2',
  )
  const keys = Map.groupBy(
    wrapped.map((row) => unwrapDataKey(rootKeys, row)),
    ({ orgId }) => orgId,
  )
  const sealed = (column: Column, orgId: string, place: string) => (bytes: Buffer) => ({
    column,
    orgId,
    place,
    bytes,
    open: (given: Buffer) => open(keys.get(orgId) ?? [], place, given),
  })
  const dataKeys = wrapped.map((row): Blob => ({
    column: 'data_keys.wrapped',
    orgId: row.orgId,
    bytes: row.wrapped,
    place: `${row.orgId}|${row.version}`,
    open: (given) =>
      unwrapDataKey(rootKeys, {
        ...row,
        wrapped: given,
      }).key.export(),
  }))
  const heads = await proof.asOwner<Row & { secrets: { keys?: Record<string, [string]> } }>(
    `select org_id as "orgId", schema_id as "schemaId", environment_id as "environmentId",
      secret_values as secrets from current_values`,
  )
  const versions = await proof.asOwner<Row & { secrets: Texts }>(
    `select org_id as "orgId", schema_id as "schemaId", environment_id as "environmentId",
      secret_values as secrets from config_versions`,
  )
  const schemas = await proof.asOwner<Row & { secrets: Texts }>(
    `select org_id as "orgId", id as "schemaId", secret_defaults as secrets from config_schemas`,
  )
  const snapshots = await proof.asOwner<Row & { secrets: Buffer }>(
    `select org_id as "orgId", schema_id as "schemaId", environment_id as "environmentId", version,
      sealed_secrets as secrets from server_snapshots where sealed_secrets is not null`,
  )
  const base64 = (text: string) => Buffer.from(text, 'base64')
  const blobs = [
    ...dataKeys,
    ...heads.flatMap(({ secrets, ...row }) =>
      Object.entries(secrets.keys ?? {}).map(([key, [text]]) =>
        sealed(columns[0], row.orgId, valueAddress({ ...row, key }))(base64(text)),
      ),
    ),
    ...versions.flatMap(({ secrets, ...row }) =>
      Object.entries(secrets).map(([key, text]) =>
        sealed(columns[1], row.orgId, valueAddress({ ...row, key }))(base64(text)),
      ),
    ),
    ...schemas.flatMap(({ secrets, orgId, schemaId }) =>
      Object.entries(secrets).map(([key, text]) =>
        sealed(columns[2], orgId, defaultAddress(orgId, schemaId, key))(base64(text)),
      ),
    ),
    ...snapshots.map(({ secrets, ...row }) =>
      sealed(columns[3], row.orgId, sealedSecretsAddress(row))(secrets),
    ),
  ]
  return { keys, blobs: blobs.filter(({ orgId }) => orgIds.includes(orgId)) }
}

/** Says how many attempts were made, and which were not refused. */
export interface Attempts {
  count: number
  readonly opened: string[]
}

function attempt(attempts: Attempts, what: () => string, open: () => unknown): void {
  attempts.count++
  try {
    open()
  } catch {
    return
  }
  attempts.opened.push(what())
}

/** Changes every byte of every blob, each in all eight bits at once and in one bit. */
export function flipBytes(blobs: readonly Blob[]): Attempts {
  const attempts: Attempts = { count: 0, opened: [] }
  for (const { column, place, bytes, open } of blobs) {
    for (let i = 0; i < bytes.length; i++) {
      for (const mask of [0xff, 1 << (i % 8)]) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(i) ^ mask, i)
        attempt(
          attempts,
          () => `${column} ${place} byte ${i}`,
          () => open(changed),
        )
      }
    }
  }
  return attempts
}

/** Puts every blob into every other place. Blobs of one place hold values of the same key, and are left. */
export function swapBlobs(blobs: readonly Blob[]): Attempts {
  const attempts: Attempts = { count: 0, opened: [] }
  for (const from of blobs) {
    for (const to of blobs) {
      if (from.place === to.place) continue
      const what = () => `${from.column} ${from.place} in ${to.column} ${to.place}`
      attempt(attempts, what, () => to.open(from.bytes))
    }
  }
  return attempts
}

/** Cuts from the end, which is the tag: 1 to 16 bytes of it; and lengthens by one byte. */
export function resizeTags(blobs: readonly Blob[]): Attempts {
  const attempts: Attempts = { count: 0, opened: [] }
  for (const { column, place, bytes, open } of blobs) {
    for (let missing = 1; missing <= 16; missing++) {
      const what = () => `${column} ${place} without ${missing} bytes`
      attempt(attempts, what, () => open(bytes.subarray(0, -missing)))
    }
    attempt(
      attempts,
      () => `${column} ${place} with one more`,
      () => open(Buffer.concat([bytes, Buffer.of(0)])),
    )
  }
  return attempts
}
