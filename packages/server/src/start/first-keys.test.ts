import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

let nodes: Nodes

beforeAll(async () => {
  nodes = await openNodes()
})
afterAll(() => nodes.close())

it('a node that only delivers listens only once it has read the keys, so that it refuses no valid one', async () => {
  const first = await nodes.start()
  const { org, snapshot } = await nodes.addConfiguration(first)
  const { secret } = await nodes.call<{ secret: string }>(first, `POST ${org}/api-keys`, {
    name: 'web',
    kind: 'b2m',
  })
  await first.close()
  const holder = new pg.Client(nodes.databaseUrl)
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table api_keys in access exclusive mode')
  const starting = nodes.start('delivery')
  const countWaiting = async () =>
    (
      await nodes.asOwner(
        `select from pg_locks where relation = 'api_keys'::regclass and not granted`,
      )
    ).length
  await expect.poll(countWaiting).toBeGreaterThan(0)
  // It would listen by then, and its read gives the lock up only after two seconds.
  const found = await Promise.race([starting.then(() => 'listens'), delay(500, 'waits')])
  await holder.query('rollback')
  await holder.end()
  const { configUrl } = await starting
  expect(found).toBe('waits')
  expect((await fetch(`${configUrl}${snapshot}?apiKey=${secret}`)).status).toBe(200)
})
