import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../telemetry/log.ts'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

let nodes: Nodes

beforeAll(async () => {
  nodes = await openNodes()
})
afterAll(() => nodes.close())

/** Holds what every start reads. Returns what lets it go. */
async function holdKeys(): Promise<() => Promise<void>> {
  const holder = new pg.Client(nodes.databaseUrl)
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table api_keys in access exclusive mode')
  return async () => {
    await holder.query('rollback')
    await holder.end()
  }
}

it('a start goes on once a database answers that was too slow for it at first', async () => {
  await nodes.start().then((first) => first.close())
  const letGo = await holdKeys()
  const said: string[] = []
  const log = { ...silentLog, warn: (message: string) => said.push(message) }
  const starting = nodes.start('api,worker,delivery', { log })
  await expect
    .poll(() => said)
    .toContain('The database did not answer in time during the start; starting again')
  await letGo()
  const { apiUrl } = await starting
  expect((await fetch(`${apiUrl}/readyz`)).status).toBe(200)
})

it('a start ends in one sentence and a next step where the database stays too slow', async () => {
  await nodes.start().then((first) => first.close())
  const letGo = await holdKeys()
  const starting = nodes.start('api,worker,delivery', { patienceMs: 0 })
  await expect(starting).rejects.toMatchObject({
    code: 'database_slow',
    message: 'The database answers too slowly to start.',
    advice: expect.stringContaining('locks'),
  })
  await letGo()
})
