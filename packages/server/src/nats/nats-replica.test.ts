import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../telemetry/log.ts'
import { startNatsServer, natsMissing, type NatsServer } from './testing/nats-server.ts'
import {
  catchUp,
  openNatsWorld,
  publish,
  type NatsWorld,
  type WorldKey,
  type WorldPublisher,
} from './testing/nats-world.ts'

let nats: NatsServer
let world: NatsWorld
let publisher: WorldPublisher
let browserKey: WorldKey
let serverKey: WorldKey

describe.skipIf(natsMissing !== '')(`a replica in NATS${natsMissing}`, () => {
  beforeAll(async () => {
    nats = await startNatsServer()
    world = await openNatsWorld(nats.url)
    browserKey = await world.addKey('b2m')
    serverKey = await world.addKey('m2m')
    publisher = await world.publisher()
    await world.write('light')
    await publish(publisher)
  })
  afterAll(async () => {
    await world.close()
    await nats.close()
  })

  it('fills an empty disk, with the secrets for those alone who have the root key', async () => {
    const [node, sealed] = [await world.node(), await world.node({ hasRootKey: false })]
    await catchUp(node)
    await catchUp(sealed)
    expect(await node.read(browserKey)).toContain('"theme":"light"')
    expect(await node.read(serverKey)).toContain('canary-1234')
    expect(await sealed.read(browserKey)).toBe(await node.read(browserKey))
    expect(await sealed.read(serverKey)).toMatch(/^503 .*sealed/)
  })

  it('keeps no secret in clear', async () => {
    const keys = [...(await publisher.bucket.list())]
    const values = await Promise.all(keys.map((key) => publisher.bucket.read(key)))
    const stored = values.map((value) => Buffer.from(value?.data ?? '').toString('utf8')).join()
    expect(stored).toContain('light')
    expect(stored).not.toContain('canary-1234')
  })

  it('shows each change, deletion and revocation after one look at the stored mark', async () => {
    const key = await world.addKey('b2m')
    const node = await world.node({ isDeaf: true })
    await world.write('blue')
    await publish(publisher)
    await catchUp(node)
    expect(await node.read(key)).toContain('"theme":"blue"')
    await world.app.test.asOwner('update api_keys set revoked_at = now() where id = $1', [key.id])
    await publish(publisher)
    expect(await node.refresh()).toBe('read')
    expect(await node.read(key)).toContain('401')
    expect(await node.read(browserKey)).toContain('"theme":"blue"')
  })

  it('says what is new at once, also while nothing can be stored', async () => {
    let isFull = false
    const refused = () => Promise.reject(new Error('no space left'))
    const second = await world.publisher({
      alter: (bucket) => ({
        ...bucket,
        put: (...put) => (isFull ? refused() : bucket.put(...put)),
      }),
    })
    await publish(second)
    const node = await world.node()
    const deaf = await world.node({ isDeaf: true })
    await catchUp(node)
    await catchUp(deaf)
    isFull = true
    second.start()
    await world.write('green')
    await expect.poll(() => node.read(browserKey)).toContain('"theme":"green"')
    expect(await node.refresh()).toBe('read')
    // Control: whoever has not heard it finds the stored mark, which is the one before.
    expect(await deaf.refresh()).toBe('read')
    expect(await deaf.read(browserKey)).not.toContain('green')
    isFull = false
    await expect
      .poll(async () => {
        await deaf.refresh()
        return deaf.read(browserKey)
      })
      .toContain('"theme":"green"')
    await second.close()
  })

  it('warns once of an organization that does not exist, and publishes it once it does', async () => {
    const warnings: unknown[] = []
    const warn = (_: string, fields: unknown) => void warnings.push(fields)
    const groups = [{ name: 'later', organizations: ['newcomer'] }]
    const second = await world.publisher({ groups, log: { ...silentLog, warn } })
    await publish(second)
    await world.write('red')
    await publish(second)
    expect(warnings).toEqual([{ setting: 'SIGNALBOX_NATS_GROUPS', detail: 'newcomer' }])
    const { app } = world
    await app.test.asOwner(`update organizations set slug = 'newcomer' where id = $1`, [
      app.otherOrgId,
    ])
    const key = await world.addKey('b2m', app.otherOrgId)
    await publish(second)
    const node = await world.node({ group: 'later' })
    await catchUp(node)
    expect(await node.read(key)).toMatch(/^404/)
    expect(await node.read(browserKey)).toMatch(/^401/)
    expect(warnings).toHaveLength(1)
  })

  it('carries what is longer than a message', async () => {
    const theme = '"'.repeat(60_000)
    const schemaId = await world.app.addSchema('long', {
      a: { type: 'string', tier: 'public', default: theme },
      b: { type: 'string', tier: 'public', default: theme },
      c: { type: 'string', tier: 'public', default: theme },
    })
    await publish(publisher)
    const keys = [...(await publisher.bucket.list())]
    expect(keys.filter((key) => key.endsWith('.1'))).not.toHaveLength(0)
    const node = await world.node()
    await catchUp(node)
    const path = `/snapshots/${schemaId}/${world.environmentId}`
    const { text } = await node.delivery.ask(path, { headers: { ...browserKey.headers } })
    expect(text.length).toBeGreaterThan(3 * 2 * 60_000)
  })
})
