import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type ServiceProcess } from '../../e2e/start-service.ts'
import { silentLog } from '../../packages/server/src/store/log.ts'
import { openDatabase, type OpenDatabase } from '../../packages/server/src/store/open-database.ts'
import { withOwner } from '../../packages/server/src/store/owner.ts'

const token = 'bootstrap-token-of-the-proof-0123456789'

let directory: string
const servers: OpenDatabase[] = []
let service: ServiceProcess | undefined

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-hosts-'))
  await chmod(directory, 0o711)
  for (const name of ['former', 'present']) {
    const source = { dataDir: join(directory, name), searchPath: process.env['PATH'] ?? '' }
    servers.push(await openDatabase(source, silentLog))
  }
}, 120_000)

afterAll(async () => {
  await service?.kill()
  for (const server of servers) await server.close()
  await rm(directory, { recursive: true, force: true })
})

/** As a failover leaves a primary that still answers: fenced against writes. */
const fence = (server: OpenDatabase | undefined) =>
  server &&
  withOwner(server.target, async (client) => {
    await client.query('alter system set default_transaction_read_only = on')
    await client.query('select pg_reload_conf()')
  })

function urlOf(...hosts: readonly (OpenDatabase | undefined)[]): string {
  const configs = hosts.map((server) => server?.target.hosts[0] ?? {})
  const names = configs.map(({ host = '', port }) => `${encodeURIComponent(host)}:${port}`)
  const [{ user = '', database = '' } = {}] = configs
  return `postgres://${user}@${names.join(',')}/${database}`
}

function start(databaseUrl: string): Promise<ServiceProcess> {
  return startService({
    env: {
      DATABASE_URL: databaseUrl,
      SIGNALBOX_DATA_DIR: join(directory, 'data'),
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
      SIGNALBOX_BOOTSTRAP_TOKEN: token,
      SIGNALBOX_RATE_LIMITS: 'off',
    },
  })
}

describe('two hosts in DATABASE_URL, of which the first is a former primary that still answers', () => {
  it('are used by a node that starts: it takes writes, and says which host it uses', async () => {
    await fence(servers[0])
    service = await start(urlOf(servers[0], servers[1]))
    const { apiUrl } = service
    expect((await fetch(`${apiUrl}/readyz`)).status).toBe(200)
    const answer = await fetch(`${apiUrl}/organizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Acme' }),
    })
    expect(answer.status).toBe(201)
    expect(service.output()).toContain('Connected to the database of DATABASE_URL')
    expect(service.output()).toContain(String(servers[1]?.target.hosts[0]?.host))
  })

  it('control: with the former primary alone no node starts', async () => {
    await expect(start(urlOf(servers[0]))).rejects.toThrow('before it was ready')
  })
})
