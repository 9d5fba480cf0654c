import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newToken } from '../crypto/tokens.ts'
import type { Service } from '../start/service.ts'
import { openNodes, type Nodes } from '../start/testing/open-nodes.ts'
import { silentLog, type Log } from '../telemetry/log.ts'
import { openCutLink, type CutLink } from '../../../../test/testing/network/cut-link.ts'
import { natsMissing, startNatsServer, type NatsServer } from './testing/nats-server.ts'

let nats: NatsServer
/** Between NATS and the worker. */
let link: CutLink
/** The release that NATS seems to be, for connections from now on. */
let release: string | undefined
let nodes: Nodes
let origin: Service
let place: Awaited<ReturnType<Nodes['addConfiguration']>>
let publisherKey: string
let browserKey: { readonly id: string; readonly secret: string }

interface Checked {
  readonly checks: { readonly publication: unknown }
}

/** Lists what the worker logs of NATS. */
const logged: string[] = []
const note: Log['warn'] = (message, { reason, detail } = {}) => {
  if (message.includes('NATS')) logged.push([message, reason ?? detail].join(': '))
}

const openOrigin = () =>
  nodes.start('api,worker,delivery', {
    settings: { SIGNALBOX_NATS_URL: `nats://127.0.0.1:${link.port}` },
    log: { ...silentLog, info: note, warn: note },
  })

const openNode = (settings: Record<string, string> = {}) =>
  nodes.start('delivery', {
    settings: {
      DATABASE_URL: '',
      SIGNALBOX_BOOTSTRAP_TOKEN: '',
      SIGNALBOX_ROOT_KEY: '',
      SIGNALBOX_NATS_URL: nats.url,
      SIGNALBOX_PUBLISHER_KEYS: publisherKey,
      ...settings,
    },
  })

const addKey = (kind: string) =>
  nodes.call<typeof browserKey>(origin, `POST ${place.org}/api-keys`, { name: kind, kind })

const read = async ({ configUrl }: Service, { secret } = browserKey) => {
  const answer = await fetch(`${configUrl}${place.snapshot}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  return `${answer.status} ${await answer.text()}`
}

const setTheme = (theme: string) =>
  nodes.call(origin, `PUT ${place.org}/config-values`, { ...place.target, values: { theme } })

const readEpoch = async (url = '') =>
  /^signalbox_replica_epoch (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]

const readiness = async ({ configUrl }: Service) =>
  (await (await fetch(`${configUrl}/readyz`)).json()) as Record<string, unknown>

describe.skipIf(natsMissing !== '')(`a node that NATS feeds${natsMissing}`, () => {
  beforeAll(async () => {
    nats = await startNatsServer()
    link = await openCutLink(nats.port, (chunk) =>
      release === undefined
        ? chunk
        : chunk.toString('latin1').replace(/^(INFO .*"version":")[^"]+/, `$1${release}`),
    )
    nodes = await openNodes()
    origin = await openOrigin()
    place = await nodes.addConfiguration(origin)
    browserKey = await addKey('b2m')
    const keys = await fetch(`${origin.configUrl}/.well-known/signalbox-keys`)
    publisherKey = ((await keys.json()) as { keys: [{ x: string }] }).keys[0].x
  })
  afterAll(async () => {
    await nodes.close()
    link.close()
    await nats.close()
  })

  it('serves from an empty disk what the worker has published, and each change, without a database', async () => {
    const node = await openNode({ SIGNALBOX_METRICS_PORT: '0' })
    expect(node.apiUrl).toBeUndefined()
    await expect.poll(() => read(node)).toContain('"theme":"dark"')
    await setTheme('light')
    await expect.poll(() => read(node)).toContain('"theme":"light"')
    expect(await read(node)).toBe(await read(origin))
    await expect
      .poll(() => readiness(node))
      .toMatchObject({
        ready: true,
        snapshots: { loadedFrom: 'upstream' },
        upstream: { ok: true },
      })
    expect(await readEpoch(node.metricsUrl)).toBe(await readEpoch(origin.apiUrl))
    expect(Number(await readEpoch(origin.apiUrl))).toBeGreaterThan(0)
    await node.close()
  })

  it('shows nothing older than before after a start from its disk, also where NATS is back only seconds later', async () => {
    const settings = { SIGNALBOX_DATA_DIR: await mkdtemp(join(tmpdir(), 'signalbox-node-')) }
    const node = await openNode(settings)
    const other = await openNode()
    await setTheme('blue')
    await expect.poll(() => read(node)).toContain('"theme":"blue"')
    await node.close()
    await setTheme('green')
    // It is in NATS by then.
    await expect.poll(() => read(other)).toContain('"theme":"green"')
    await other.close()
    await nats.kill()
    const starting = openNode(settings)
    const found = await Promise.race([starting.then(() => 'listens'), delay(3_000, 'waits')])
    await nats.start()
    const restarted = await starting
    expect(found).toBe('waits')
    expect(await read(restarted)).toContain('"theme":"green"')
    await restarted.close()
    await rm(settings.SIGNALBOX_DATA_DIR, { recursive: true })
  })

  it('serves a key from the moment that it is made or rotated, refuses one that nobody made, and neither where no worker publishes', async () => {
    const node = await openNode()
    await expect.poll(() => read(node)).toContain('"theme"')
    const strange = { id: '', secret: newToken('b2m').token }
    const rotated = await addKey('b2m')
    const rotate = (service: Service) =>
      nodes.call<typeof browserKey>(service, `POST ${place.org}/api-keys/${rotated.id}/rotate`, {
        overlapSeconds: 0,
      })
    for (let round = 0; round < 5; round += 1) {
      expect(await read(node, await addKey('b2m'))).toMatch(/^200/)
      expect(await read(node, await rotate(origin))).toMatch(/^200/)
    }
    expect(await read(node, strange)).toMatch(/^401/)
    const api = await nodes.start('api')
    await origin.close()
    const key = await nodes.call<typeof browserKey>(api, `POST ${place.org}/api-keys`, {
      name: 'b2m',
      kind: 'b2m',
    })
    const unsure = await Promise.all(
      [key, await rotate(api), strange].map((one) => read(node, one)),
    )
    expect(unsure).toEqual(unsure.map(() => expect.stringMatching(/^503 .*upstream_unavailable/)))
    expect(await read(node)).toMatch(/^200/)
    origin = await openOrigin()
    await expect.poll(() => read(node, key)).toMatch(/^200/)
    await api.close()
    await node.close()
  })

  it('is served by a worker that says in its log, readiness, status and metrics for how long NATS does not take what it publishes, and why', async () => {
    const host = `127.0.0.1:${link.port}`
    const readCheck = async () => {
      const open = await fetch(`${origin.apiUrl}/readyz`)
      const { checks } = await nodes.call<Checked>(origin, 'GET /server/status')
      return {
        status: open.status,
        open: ((await open.json()) as Checked).checks.publication,
        operator: checks.publication,
      }
    }
    const readAge = async () =>
      Number(
        /^signalbox_published_age_seconds (\d+)$/m.exec(
          await (await fetch(`${origin.apiUrl}/metrics`)).text(),
        )?.[1],
      )
    const well = { ok: true, detail: expect.stringMatching(/^NATS had everything \d+ s ago\.$/) }
    await expect.poll(readCheck).toEqual({ status: 200, open: well, operator: well })
    logged.length = 0
    await nats.kill()
    const failing = (reason: string) => ({
      ok: true,
      warning: true,
      detail: expect.stringMatching(`^Publishing to NATS has failed for \\d+ s: ${reason}`),
    })
    await expect.poll(readCheck, { timeout: 15_000 }).toEqual({
      status: 200,
      open: failing('NATS cannot be reached\\. '),
      operator: failing(`NATS cannot be reached at ${host}: `),
    })
    await expect.poll(readAge, { timeout: 15_000 }).toBeGreaterThan(2)
    release = '2.9.10'
    await nats.start()
    const advice = `nats-server ${release} loses streams when its process is killed. Install 2.10.23 or newer.`
    const old = { ok: true, warning: true, detail: advice }
    await expect
      .poll(readCheck, { timeout: 15_000 })
      .toEqual({ status: 200, open: old, operator: old })
    await expect.poll(readAge).toBeLessThan(3)
    const said = [
      'NATS cannot be reached: the connection was lost',
      expect.stringMatching(/^Could not store changes in NATS: \S/),
      'Connected to NATS again: ',
      `NATS is older than the guide allows: ${advice}`,
      'Storing changes in NATS again: ',
    ]
    expect(logged).toEqual(expect.arrayContaining(said))
    expect(logged).toHaveLength(said.length)
  })

  it('reports itself and the keys that it has served, through the workers', async () => {
    const node = await openNode()
    const listNodes = async () => {
      const { deliveryNodes } = await nodes.call<{
        deliveryNodes: { name: string; carrier: string; state: string }[]
      }>(origin, 'GET /server/status')
      const port = new URL(node.configUrl ?? '').port
      return deliveryNodes
        .filter(({ name }) => name.endsWith(`:${port}`))
        .map(({ carrier, state }) => `${carrier} ${state}`)
    }
    const key = await addKey('b2m')
    await expect.poll(() => read(node, key)).toContain('"theme"')
    await expect.poll(() => listNodes()).toEqual(['nats ok'])
    const since = Date.now()
    await read(node, key)
    await node.close()
    await expect.poll(() => listNodes()).toEqual([])
    await origin.close()
    origin = await openOrigin()
    const { items } = await nodes.call<{ items: { id: string; lastUsedAt: string | null }[] }>(
      origin,
      `GET ${place.org}/api-keys`,
    )
    const used = items.find(({ id }) => id === key.id)?.lastUsedAt
    expect(Date.parse(used ?? '')).toBeGreaterThanOrEqual(since)
  })
})
