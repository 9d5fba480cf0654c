import { createDecipheriv } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataKey, wrapDataKey } from '../../packages/server/src/crypto/data-keys.ts'
import { open, seal, sealedVersion, type DataKey } from '../../packages/server/src/crypto/seal.ts'
import { findRootKeys } from '../../packages/server/src/vault/root-key-file.ts'
import { bearer, createClient } from '../testing/http.ts'
import { createMaker } from '../testing/organization.ts'
import { openProofService, type ProofService } from '../testing/proof-service.ts'
import {
  columns,
  flipBytes,
  readBlobs,
  resizeTags,
  swapBlobs,
  type Attempts,
  type Blob,
} from '../testing/sealed-blobs.ts'

let proof: ProofService
let blobs: Blob[]
let keys: ReadonlyMap<string, readonly DataKey[]>
const serverKeys = new Map<string, string>()
/** In each text that is sealed. */
const canary = 'sk_live_of_the_proof'

beforeAll(async () => {
  proof = await openProofService()
  const client = createClient(proof.current().apiUrl)
  for (const name of ['Sealed', 'Other']) await fill(name, client)
  client.close()
  ;({ blobs, keys } = await readBlobs(proof, findRootKeys(proof.dataDir)))
})

afterAll(() => proof?.close())

/** Real writes of an organization: two schemas in three environments, defaults, history, inheritance, two data keys. */
async function fill(name: string, client: ReturnType<typeof createClient>): Promise<void> {
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
    salt: secret('string', { default: `${canary} default` }),
    open: { type: 'string', tier: 'public' },
  }
  const schemas = [
    await maker.schema(orgId, { name: 'web', schema }),
    await maker.schema(orgId, { name: 'jobs', schema }),
  ]
  const write = async (n: number) => {
    for (const { id: schemaId } of schemas) {
      for (const { id: environmentId } of [base, child, alone]) {
        const values = { stripeKey: `${canary} ${n}`, pin: n, open: `${n}` }
        const body = { schemaId, environmentId, values }
        await maker.call(`PUT ${org}/config-values`, body)
      }
    }
  }
  await write(1)
  await addDataKey(orgId)
  await write(2)
  const move = { fromEnvironmentId: base.id, toEnvironmentId: alone.id }
  const values = { signer: false, salt: 'promoted', open: 'p' }
  const [{ id: schemaId } = { id: '' }] = schemas
  await maker.call(`PUT ${org}/config-values`, { schemaId, environmentId: base.id, values })
  await maker.call(`POST ${org}/config-values/promote`, { schemaId, ...move, include: ['secret'] })
  serverKeys.set(orgId, (await maker.key(orgId, { name: 'server', kind: 'm2m' })).secret)
}

/** The next data key, as the service makes one when the first has sealed too often. */
async function addDataKey(orgId: string): Promise<void> {
  const [rootKey] = findRootKeys(proof.dataDir)
  if (rootKey === undefined) throw new Error('The service made no root key')
  await proof.asOwner(
    'insert into data_keys (org_id, version, wrapped, root_key_id) values ($1, 2, $2, $3)',
    [orgId, wrapDataKey(rootKey, newDataKey(orgId, 2)), rootKey.id],
  )
}

function report(what: string, { count, opened }: Attempts): void {
  console.log(`${what}: ${count} attempts, ${opened.length} opened`)
}

/** The blobs whose content is known: all but the wrapped data keys. */
const values = () => blobs.filter(({ column }) => column !== 'data_keys.wrapped')

describe('what is sealed in the database (S8)', () => {
  it('opens in its place: every value of every column, under two data keys in two organizations', () => {
    const counts = columns.map((column) => {
      const some = blobs.filter((blob) => blob.column === column)
      expect(some.length).toBeGreaterThanOrEqual(4)
      for (const blob of some) expect(() => blob.open(blob.bytes)).not.toThrow()
      return `${some.length} of ${column}`
    })
    console.log(`sealed values: ${blobs.length} (${counts.join(', ')})`)
    const texts = values().map((blob) => blob.open(blob.bytes).toString())
    expect(texts).toContain(JSON.stringify(`${canary} 2`))
    expect(texts).toContain(JSON.stringify(`${canary} default`))
    expect(new Set(values().map(({ bytes }) => sealedVersion(bytes)))).toEqual(new Set([1, 2]))
    for (const { bytes } of blobs) expect(bytes.includes(canary)).toBe(false)
  })

  it('uses no nonce twice', () => {
    const sealed = new Map(values().map(({ bytes }) => [bytes.toString('base64'), bytes]))
    const nonces = new Set([...sealed.values()].map((bytes) => bytes.toString('hex', 5, 17)))
    console.log(`nonces: ${nonces.size} of ${sealed.size} different seals`)
    expect(nonces.size).toBe(sealed.size)
  })

  it('is refused when any byte of it differs', () => {
    const flips = flipBytes(blobs)
    report('changed bytes', flips)
    expect(flips.opened).toEqual([])
    expect(flips.count).toBe(2 * blobs.reduce((sum, { bytes }) => sum + bytes.length, 0))
  })

  it('is refused in every other place: row, column, key or organization', () => {
    const swaps = swapBlobs(blobs)
    report('other places', swaps)
    expect(swaps.opened).toEqual([])
    expect(swaps.count).toBeGreaterThan(10_000)
    // One attack remains for anybody who can write to the database: to restore a former value of a key.
    const sharing = blobs.length ** 2 - blobs.length - swaps.count
    console.log(`pairs of former and present values of one key, which share a place: ${sharing}`)
  })

  it('is refused with a tag that is shorter or longer', () => {
    const cuts = resizeTags(blobs)
    report('other lengths of the tag', cuts)
    expect(cuts.opened).toEqual([])
    expect(cuts.count).toBe(17 * blobs.length)
  })

  it('is not served by the service when somebody exchanged two values in the database', async () => {
    const { orgId, place } = values().find(({ column }) => column === columns[0]) ?? {}
    const [, , schemaId = '', environmentId = ''] = place?.split('|') ?? []
    const client = createClient(proof.current().apiUrl)
    const search = `schemaId=${schemaId}&environmentId=${environmentId}`
    const path = `/organizations/${orgId}/config-values?${search}`
    const headers = bearer(serverKeys.get(orgId ?? '') ?? '')
    const before = await client.send({ method: 'GET', path, headers })
    expect(before.status).toBe(200)
    expect(before.bytes.toString()).toContain(canary)
    // The same key of the same schema, in another environment.
    await proof.asOwner(
      `update current_values h set secret_values = jsonb_set(h.secret_values::jsonb, '{keys,stripeKey,0}',
        (select o.secret_values::jsonb #> '{keys,stripeKey,0}' from current_values o
          where o.org_id = h.org_id and o.schema_id = h.schema_id and o.environment_id <> h.environment_id
          limit 1))::json
        where org_id = $1 and schema_id = $2 and environment_id = $3`,
      [orgId, schemaId, environmentId],
    )
    const after = await client.send({ method: 'GET', path, headers })
    client.close()
    console.log(`after an exchange in the database: ${after.status} ${after.bytes.toString()}`)
    expect(after.status).toBe(500)
    expect(after.bytes.toString()).not.toContain(canary)
  })
})

describe('control', () => {
  it('without the place in the seal, values open in other places of their organization', () => {
    const sealedPlain = values().map((blob): Blob => {
      const ring = keys.get(blob.orgId) ?? []
      const key = ring.find(({ version }) => version === sealedVersion(blob.bytes))
      if (key === undefined) throw new Error('A value is sealed with a key that is not stored')
      return {
        ...blob,
        bytes: seal(key, '', blob.open(blob.bytes)),
        open: (bytes) => open(ring, '', bytes),
      }
    })
    const swaps = swapBlobs(sealedPlain)
    report('control without places', swaps)
    expect(swaps.opened.length).toBeGreaterThan(swaps.count / 3)
  })

  it('without a fixed length of the tag, four bytes of it are enough', () => {
    const attempts: Attempts = { count: 0, opened: [] }
    for (const { orgId, place, bytes } of values()) {
      const version = sealedVersion(bytes)
      const key = keys.get(orgId)?.find((key) => key.version === version)
      if (key === undefined) continue
      const nonce = bytes.subarray(5, 17)
      const openShort = (options?: { authTagLength: number }) => {
        const decipher = createDecipheriv('aes-256-gcm', key.key, nonce, options)
        decipher.setAAD(Buffer.from(`1|${version}|${place}`))
        decipher.setAuthTag(bytes.subarray(-16, -12))
        return Buffer.concat([decipher.update(bytes.subarray(17, -16)), decipher.final()])
      }
      attempts.count++
      if (openShort({ authTagLength: 4 }).length > 0) attempts.opened.push(place)
      expect(() => openShort({ authTagLength: 16 })).toThrow('Invalid authentication tag length')
    }
    report('control with tags of 4 bytes', attempts)
    expect(attempts.opened).toHaveLength(attempts.count)
  })
})
