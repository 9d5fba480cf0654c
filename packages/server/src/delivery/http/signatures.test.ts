import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readSignature } from '../../crypto/testing/read-signature.ts'
import { generateRootKey } from '../../crypto/root-key.ts'
import { createFakePublisher } from '../testing/fake-publisher.ts'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'

let test: TestDelivery

afterEach(() => test.close())

const values = {
  public: { greeting: 'Grüße 🎉' },
  featureFlags: { newCheckout: true },
  secret: { stripeKey: 'sk_live_canary' },
}
const wellKnown = '/.well-known/signalbox-keys'
const named = `/organizations/${testSnapshot.orgId}/config/snapshot?environment=production`

/** Reads a path, and what its signature by the key of the publisher says. */
async function read(path: string, headers: Record<string, string>) {
  const answer = await test.ask(path, { headers })
  const header = String(answer.headers['signalbox-signature'])
  const names = answer.json() as { schemaId: string; environmentId: string; version: number }
  const { publicKey } = test.publisher.publisherKey
  const signature = readSignature([publicKey], { header, body: answer.text, names })
  const isSigned = signature?.signedBy[0] === publicKey
  return { version: names.version, isSigned, audience: signature?.audience }
}

describe.each(['b2m', 'm2m'] as const)('a snapshot for a %s key', (kind) => {
  it('is signed, whichever way it is asked for', async () => {
    test = await openTestDelivery()
    await test.publish({ ...values, public: { greeting: 'before' } })
    await test.publish(values)
    const { headers } = test.addKey(kind)
    for (const path of [snapshotPath, named, `${snapshotPath}/2`, `${snapshotPath}/1`]) {
      const version = path.endsWith('/1') ? 1 : 2
      expect([path, await read(path, headers)]).toEqual([
        path,
        { version, isSigned: true, audience: kind === 'b2m' ? 'browser' : 'server' },
      ])
    }
  })

  it('is signed as of before a restart, without a database', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-signed-'))
    const rootKey = generateRootKey()
    const publisher = createFakePublisher(rootKey)
    test = await openTestDelivery({ publisher, rootKey, dataDir })
    test.delivery.keyCache.apply({
      organizations: [{ id: testSnapshot.orgId, slug: 'acme', name: 'Acme', deletedAt: null }],
      keys: [],
      secrets: [],
      signingKeys: [],
    })
    await test.publish(values)
    await test.delivery.flush()
    await test.stop()
    publisher.setAway(true)
    test = await openTestDelivery({ publisher, rootKey, dataDir })
    const { headers } = test.addKey(kind)
    expect(await read(snapshotPath, headers)).toMatchObject({ version: 1, isSigned: true })
    const keys = await test.ask(wellKnown)
    expect(keys.json()).toMatchObject({ keys: [{ x: publisher.publisherKey.publicKey }] })
    await rm(dataDir, { recursive: true, force: true })
  })
})

describe('an answer that is no whole snapshot', () => {
  it('has no signature', async () => {
    test = await openTestDelivery()
    await test.publish(values)
    const path = `/organizations/${testSnapshot.orgId}/config/values`
    for (const kind of ['b2m', 'm2m'] as const) {
      const { headers } = test.addKey(kind)
      const asked = [
        `${path}?environment=production`,
        `${path}/greeting?environment=production`,
        `${path}?environment=production&names=variables`,
      ]
      for (const each of asked) {
        const answer = await test.ask(each, { headers })
        expect([each, answer.status, answer.headers['signalbox-signature']]).toEqual([
          each,
          200,
          undefined,
        ])
      }
    }
  })
})

describe('the public keys', () => {
  it('are a JWK Set that everybody may read, pages of any origin too', async () => {
    test = await openTestDelivery()
    await test.publish(values)
    const answer = await test.ask(wellKnown)
    const { publicKey, id } = test.publisher.publisherKey
    expect(answer.json()).toEqual({
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: publicKey, kid: id, use: 'sig', alg: 'EdDSA' }],
    })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/jwk-set+json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    })
    expect((await test.ask(`${wellKnown}?x=1`)).status).toBe(200)
    expect((await test.ask(`${wellKnown}x`)).status).toBe(404)
    expect((await test.ask(wellKnown, { method: 'POST' })).status).toBe(405)
  })
})
