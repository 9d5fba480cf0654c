import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStream } from '../delivery/testing/http-client.ts'
import type { Service } from './service.ts'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

interface Key {
  readonly id: string
  readonly secret: string
}

let nodes: Nodes
let everything: Service
let org: string
let snapshot: string

const addKey = () =>
  nodes.call<Key>(everything, `POST ${org}/api-keys`, { name: 'web', kind: 'b2m' })

async function statusAt(url: string | undefined, { secret }: Key): Promise<number> {
  const answer = await fetch(`${url}${snapshot}?apiKey=${secret}`)
  await answer.arrayBuffer()
  return answer.status
}

async function streamAt(url: string | undefined, { secret }: Key): Promise<() => void> {
  const { port } = new URL(url ?? '')
  const stream = await openStream(Number(port), `${snapshot}/stream?apiKey=${secret}`)
  expect(stream.status).toBe(200)
  return () => stream.close()
}

/** Maps each key to its last use, as the API shows it. A node stores the uses it has counted when it stops. */
async function listUses(service: Service): Promise<ReadonlyMap<string, string | null>> {
  const { items } = await nodes.call<{ items: { id: string; lastUsedAt: string | null }[] }>(
    service,
    `GET ${org}/api-keys`,
  )
  return new Map(items.map(({ id, lastUsedAt }) => [id, lastUsedAt]))
}

beforeAll(async () => {
  nodes = await openNodes()
  everything = await nodes.start()
  ;({ org, snapshot } = await nodes.addConfiguration(everything))
})

afterAll(() => nodes.close())

describe('a browser key that configuration is read with', () => {
  it('is shown as used when a process that only delivers has served it', async () => {
    const [used, unused] = [await addKey(), await addKey()]
    const delivering = await nodes.start('delivery')
    const since = Date.now()
    await expect.poll(() => statusAt(delivering.configUrl, used)).toBe(200)
    const until = Date.now()
    await delivering.close()
    const uses = await listUses(everything)
    expect(Date.parse(uses.get(used.id) ?? '')).toBeGreaterThanOrEqual(since)
    expect(Date.parse(uses.get(used.id) ?? '')).toBeLessThanOrEqual(until)
    expect(uses.get(unused.id)).toBeNull()
  })

  it('is shown as used when it read or listened at either address', async () => {
    const { apiUrl, configUrl } = everything
    const keys = [await addKey(), await addKey(), await addKey(), await addKey()] as const
    const unused = await addKey()
    const since = Date.now()
    await expect.poll(() => statusAt(configUrl, keys[0])).toBe(200)
    expect(await statusAt(apiUrl, keys[1])).toBe(200)
    const streams = [await streamAt(configUrl, keys[2]), await streamAt(apiUrl, keys[3])]
    for (const close of streams) close()
    await everything.close()
    everything = await nodes.start()
    const uses = await listUses(everything)
    for (const { id } of keys) {
      expect(Date.parse(uses.get(id) ?? '')).toBeGreaterThanOrEqual(since)
    }
    expect(uses.get(unused.id)).toBeNull()
  })
})
