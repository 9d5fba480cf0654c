import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSignature } from '../../crypto/testing/read-signature.ts'
import { findChanges, listBrowserRows } from '../../delivery/cache/rows.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import {
  renderServerSnapshot,
  sealedSecretsAddress,
  sealedSignatureAddress,
} from '../../config-model/snapshot.ts'
import {
  addPublisherKey,
  beginPublisherEpoch,
  listPublicKeys,
  retirePublisherKey,
} from '../../vault/publisher-keys.ts'
import { signSnapshots } from './sign-snapshots.ts'

let app: ConfigApp
let schemaId: string
let environmentId: string
let count = 0

beforeAll(async () => {
  app = await openConfigApp()
  environmentId = await app.addEnvironment('production')
  schemaId = await app.addSchema('web', {
    retries: { type: 'number', tier: 'public', default: 3 },
    beta: { type: 'boolean', tier: 'featureFlags' },
    pin: { type: 'string', default: '1234' },
  })
})
afterAll(() => app.close())

const deps = () => ({ ...app.deps, store: app.test.store })

const write = () => {
  const values = { retries: (count += 1) }
  return app.ok('developer', 'PUT /config-values', { body: { schemaId, environmentId, values } })
}

interface Row {
  readonly version: number
  readonly body: string
  readonly signed: string | Buffer | null
  readonly secrets: Buffer | null
}

async function newest(audience: 'browser' | 'server'): Promise<Row> {
  const columns =
    audience === 'browser'
      ? 'signature as signed, null as secrets'
      : 'sealed_signature as signed, sealed_secrets as secrets'
  const [row] = await app.test.asOwner<Row>(
    `select version, body, ${columns} from ${audience}_snapshots order by version desc limit 1`,
  )
  if (row === undefined) throw new Error('Nothing is published')
  return row
}

/** Returns what the newest snapshot says of itself, the epoch, and by which of the keys in force it is signed. */
async function readSigned(audience: 'browser' | 'server') {
  const { version, body, signed, secrets } = await newest(audience)
  const row = { orgId: app.orgId, schemaId, environmentId, version }
  const [header, text] = await app.test.store.transaction({ orgId: app.orgId }, async (tx) => {
    if (signed === null || typeof signed === 'string') return [signed ?? '', body]
    const sealer = await app.deps.keys.getSealer(tx, app.orgId)
    const open = sealer.open(sealedSecretsAddress(row), secrets ?? Buffer.alloc(0)).toString()
    const signature = sealer.open(sealedSignatureAddress(row), signed).toString()
    return [signature, renderServerSnapshot(body, open)]
  })
  const keys = await listPublicKeys(app.test)
  const names = { schemaId, environmentId, version }
  const read = readSignature(keys, { header: header ?? '', body: text ?? '', names })
  return { ...read, text }
}

const audiences = ['browser', 'server'] as const

describe('a write', () => {
  it.each(audiences)('signs what a %s reads, in its own transaction', async (audience) => {
    await write()
    const keys = await listPublicKeys(app.test)
    expect(keys).toHaveLength(1)
    const { epoch, signedBy, text } = await readSigned(audience)
    expect({ epoch, signedBy }).toEqual({ epoch: 1, signedBy: keys })
    expect(text?.includes('"pin":"1234"')).toBe(audience === 'server')
  })

  it('stores no signature of secrets in clear, which would confirm a guess at them', async () => {
    await write()
    const { signed } = await newest('server')
    expect(String(signed)).not.toContain('1 server')
  })

  it('leaves nothing to sign', async () => {
    await write()
    expect(await signSnapshots(deps())).toBe(0)
  })
})

describe('signSnapshots', () => {
  it('signs what a node of an older release wrote, and every node reads it again', async () => {
    await write()
    const reader = app.test.store.delivery
    const read = async () => {
      const { browser } = await findChanges(reader, undefined)
      return { etag: browser[0]?.etag, row: (await listBrowserRows(reader, browser))[0] }
    }
    await app.test.asOwner('update browser_snapshots set signature = null, signed_by = 0')
    const unsigned = await read()
    expect(unsigned.row?.signature).toBeNull()
    expect(await signSnapshots(deps())).toBe(1)
    const again = await read()
    expect(again.row?.signature).toMatch(/^1 browser /)
    expect(again.etag).not.toBe(unsigned.etag)
    expect((await readSigned('browser')).signedBy).toHaveLength(1)
  })

  it('signs by both keys while one replaces the other, and then by the new one alone', async () => {
    await write()
    const [first] = await listPublicKeys(app.test)
    const rootKeys = app.rootKeys
    expect(await addPublisherKey({ store: app.test.store, rootKeys })).toBe('added')
    expect(await addPublisherKey({ store: app.test.store, rootKeys })).toBe('has_two')
    expect(await signSnapshots(deps())).toBe(2)
    const both = await listPublicKeys(app.test)
    for (const audience of audiences) expect((await readSigned(audience)).signedBy).toEqual(both)
    await write()
    for (const audience of audiences) expect((await readSigned(audience)).signedBy).toEqual(both)

    expect(await retirePublisherKey(app.test, new Date())).toEqual([first])
    expect(await retirePublisherKey(app.test, new Date())).toEqual([])
    await signSnapshots(deps())
    for (const audience of audiences) {
      const { signedBy, signatures } = await readSigned(audience)
      expect([signedBy, signatures?.size]).toEqual([both.slice(1), 1])
    }
  })

  it('says another epoch after a restore', async () => {
    await write()
    const epoch = await beginPublisherEpoch(app.test, new Date('2026-11-26T00:00:00Z'))
    expect(epoch).toBe(1_795_651_200)
    await signSnapshots(deps())
    expect((await readSigned('browser')).epoch).toBe(epoch)
    expect(await beginPublisherEpoch(app.test, new Date(0))).toBe(epoch + 1)
  })
})
