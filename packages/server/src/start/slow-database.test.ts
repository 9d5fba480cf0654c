import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../telemetry/log.ts'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

let nodes: Nodes

beforeAll(async () => {
  nodes = await openNodes()
})
afterAll(() => nodes.close())

it('a start goes on once a database answers that was too slow for it at first', async () => {
  await nodes.start().then((first) => first.close())
  const holder = new pg.Client(nodes.databaseUrl)
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table api_keys in access exclusive mode')
  const said: string[] = []
  const log = { ...silentLog, warn: (message: string) => said.push(message) }
  const starting = nodes.start('api,worker,delivery', { log })
  await expect
    .poll(() => said)
    .toContain('The database did not answer in time during the start; starting again')
  await holder.query('rollback')
  await holder.end()
  const { apiUrl } = await starting
  expect((await fetch(`${apiUrl}/readyz`)).status).toBe(200)
})
