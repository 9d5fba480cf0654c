import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killServers, spawnServer } from '../commands/testing/server-process.ts'
import { UpstreamError } from '../delivery/relay/upstream.ts'
import { openTestDelivery } from '../delivery/testing/test-delivery.ts'
import { createApiKeyCache } from '../identity/key-cache/api-key-cache.ts'
import type { Service } from '../start/service.ts'
import { openNodes, type Nodes } from '../start/testing/open-nodes.ts'
import { natsMissing, startNatsServer, type NatsServer } from './testing/nats-server.ts'

/** Each is killed once. Their starts take the time of this test, so they start side by side. */
const nodesToKill = 3
const patience = { timeout: 60_000 }

let directory: string
let nats: NatsServer
let nodes: Nodes
let origin: Service
let place: Awaited<ReturnType<Nodes['addConfiguration']>>
let headers: Record<string, string>
let publisherKeys: string

/** Starts a node as a process of its own, and waits until it serves. */
async function startNode(index: number) {
  const dataDir = join(directory, String(index))
  const server = spawnServer({
    args: ['start', '--json'],
    env: {
      SIGNALBOX_ROLES: 'delivery',
      SIGNALBOX_NATS_URL: nats.url,
      SIGNALBOX_PUBLISHER_KEYS: publisherKeys,
      SIGNALBOX_DATA_DIR: dataDir,
      SIGNALBOX_RATE_LIMITS: 'off',
    },
  })
  const findUrl = () => /"configUrl":"([^"]+)"/.exec(server.output())?.[1]
  await expect.poll(findUrl, patience).toBeDefined()
  const url = `${findUrl()}${place.snapshot}`
  const read = async () => (await fetch(url, { headers })).text()
  await expect.poll(read, patience).toContain('"theme"')
  return {
    dataDir,
    read,
    async kill() {
      server.child.kill('SIGKILL')
      await server.ended
    },
  }
}

/** Starts from the disk of a node, while what feeds it is away, and reads what it serves. */
async function readFromDisk(dataDir: string): Promise<string> {
  const away = () => Promise.reject(new UpstreamError('It is away.'))
  const delivery = await openTestDelivery({
    dataDir,
    keyCache: createApiKeyCache(),
    deps: {
      upstream: {
        publicKeys: publisherKeys.split(','),
        host: 'nats',
        keyHandle: undefined,
        readMark: away,
        readObject: away,
        follow: () => () => {},
      },
    },
  })
  const { text } = await delivery.ask(place.snapshot, { headers })
  await delivery.stop()
  return text
}

const setTheme = (theme: string) =>
  nodes.call(origin, `PUT ${place.org}/config-values`, { ...place.target, values: { theme } })

describe.skipIf(natsMissing !== '')(
  `a node that NATS feeds, and that is killed${natsMissing}`,
  () => {
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'signalbox-killed-'))
      nats = await startNatsServer()
      nodes = await openNodes()
      origin = await nodes.start('api,worker,delivery', {
        settings: { SIGNALBOX_NATS_URL: nats.url },
      })
      place = await nodes.addConfiguration(origin)
      const key = { name: 'reader', kind: 'b2m' }
      const { secret } = await nodes.call<{ secret: string }>(
        origin,
        `POST ${place.org}/api-keys`,
        key,
      )
      headers = { authorization: `Bearer ${secret}` }
      const answer = await fetch(`${origin.configUrl}/.well-known/signalbox-keys`)
      const { keys } = (await answer.json()) as { readonly keys: readonly { readonly x: string }[] }
      publisherKeys = keys.map(({ x }) => x).join(',')
    })
    afterAll(async () => {
      await killServers()
      await nodes.close()
      await nats.close()
      await rm(directory, { recursive: true, force: true })
    })

    it('serves from its disk each version whose first answer it was killed at', async () => {
      const started = await Promise.all([...Array(nodesToKill).keys()].map(startNode))
      for (const [index, node] of started.entries()) {
        // The first begins a second in which the files of the snapshots wait, so that the next is in none of them.
        for (const theme of [`before ${index}`, `last ${index}`]) {
          await setTheme(theme)
          while (!(await node.read()).includes(theme));
        }
        await node.kill()
        expect(await readFromDisk(node.dataDir)).toContain(`last ${index}`)
      }
    })
  },
)
