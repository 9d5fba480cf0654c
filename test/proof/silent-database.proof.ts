import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { startService } from '../../e2e/start-service.ts'
import { createTestDatabase } from '../../packages/server/src/store/testing/test-database.ts'
import { openProofService, until } from '../testing/proof-service.ts'
import { findNetworkObstacle, openSeveredLink } from '../testing/network/severed-link.ts'

/** Without the watch over silent connections callers wait for a minute in the first round already. */
const rounds = 1 * inject('scale')
/** Allows the promised three seconds, and what a machine adds that runs other proofs. Without the watch it is a minute. */
const refusedWithinMs = 20_000
/** More than there are connections. */
const callersOfEach = 8

/** Describes the service on a database that can be made silent: it keeps its connections and answers nothing. */
interface SilentDatabase {
  readonly apiUrl: string
  silence(isSilent: boolean): Promise<void> | void
  close(): Promise<void>
}

const bootstrapToken = 'bootstrap-token-of-the-proof-0123456789'

async function openFrozen(): Promise<SilentDatabase> {
  const proof = await openProofService({ bootstrapToken })
  return {
    apiUrl: proof.current().apiUrl,
    silence: (isSilent) => proof.freezeDatabase(isSilent),
    close: () => proof.close(),
  }
}

async function openSevered(): Promise<SilentDatabase> {
  const database = await createTestDatabase()
  const link = await openSeveredLink(database.databaseUrl)
  const env = {
    DATABASE_URL: link.databaseUrl,
    SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
    SIGNALBOX_RATE_LIMITS: 'off',
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-proof-'))
  const service = await startService({
    env: { ...env, SIGNALBOX_DATA_DIR: dataDir },
    host: link.nearHost,
  })
  const port = await link.reach(Number(new URL(service.apiUrl).port))
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    silence: (isSilent) => link.sever(isSilent),
    async close() {
      await service.kill()
      await link.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const obstacle = findNetworkObstacle()
if (obstacle !== undefined)
  console.warn(`SKIPPED: a cut network cannot be proven here. ${obstacle}`)

interface Made {
  readonly id: string
}

interface Answer {
  readonly request: string
  readonly status: number
  readonly ms: number
}

async function send({ apiUrl }: SilentDatabase, request: string, body?: object): Promise<Response> {
  const [method = '', path = ''] = request.split(' ')
  return fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bootstrapToken}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function make(database: SilentDatabase, request: string, body: object): Promise<Made> {
  const answer = await send(database, request, body)
  if (!answer.ok) throw new Error(`${request}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Made
}

type Asked = readonly [request: string, body?: object]

/** Makes what the requests are about, and returns them: a read and writes of each kind. */
async function prepareRequests(database: SilentDatabase): Promise<readonly Asked[]> {
  const org = `/organizations/${(await make(database, 'POST /organizations', { name: 'Acme' })).id}`
  const environment = await make(database, `POST ${org}/environments`, { name: 'live' })
  const schema = await make(database, `POST ${org}/config-schemas`, {
    name: 'web',
    schema: { theme: { type: 'string', tier: 'public', default: 'dark' } },
  })
  const key = await make(database, `POST ${org}/api-keys`, { name: 'a key', kind: 'm2m' })
  const target = { schemaId: schema.id, environmentId: environment.id }
  return [
    [`GET ${org}/environments`],
    [`PUT ${org}/config-values`, { ...target, values: { theme: 'light' } }],
    [`POST ${org}/api-keys`, { name: 'another', kind: 'b2m' }],
    [`POST ${org}/api-keys/${key.id}/rotate`, {}],
    ['POST /organizations', { name: 'Other' }],
  ]
}

/** Asks as fast as it can until `isOver`, and notes every answer. */
async function keepAsking(
  database: SilentDatabase,
  [request, body]: Asked,
  isOver: () => boolean,
  answers: Answer[],
): Promise<void> {
  while (!isOver()) {
    const begunAt = performance.now()
    const answer = await send(database, request, body)
    await answer.arrayBuffer()
    answers.push({ request, status: answer.status, ms: Math.round(performance.now() - begunAt) })
  }
}

/** Makes the database silent while it is asked, round by round, and returns every answer. */
async function askThroughSilences(database: SilentDatabase): Promise<Answer[]> {
  const requests = await prepareRequests(database)
  const answers: Answer[] = []
  for (let round = 0; round < rounds; round += 1) {
    let isOver = false
    const callers = requests.flatMap((each) => Array<Asked>(callersOfEach).fill(each))
    const asking = callers.map((each) => keepAsking(database, each, () => isOver, answers))
    await delay(300 + Math.random() * 200)
    await database.silence(true)
    await delay(8_000)
    isOver = true
    await Promise.all(asking)
    await database.silence(false)
    const [request, body] = requests[1] ?? ['']
    await until(async () => (await send(database, request, body)).ok, 'a write', 30_000)
  }
  return answers
}

describe.concurrent.each([
  ['freezes', openFrozen, undefined],
  ['is behind a network that drops every packet', openSevered, obstacle],
] as const)('a database that %s while it is written to', (name, open, obstacle) => {
  it.skipIf(obstacle !== undefined)(
    'is refused in seconds, and works again once it goes on',
    async ({ onTestFinished }) => {
      const database = await open()
      onTestFinished(async () => {
        await database.silence(false)
        await database.close()
      })
      const answers = await askThroughSilences(database)
      const refused = answers.filter(({ status }) => status >= 500)
      const slowest = answers.toSorted((one, other) => other.ms - one.ms).slice(0, 5)
      console.log(
        `a database that ${name}: ${answers.length} answers, ${refused.length} refused, slowest ${JSON.stringify(slowest)}`,
      )
      expect(refused.length).toBeGreaterThan(0)
      expect(refused.filter(({ status }) => status !== 503)).toEqual([])
      expect(answers.filter(({ ms }) => ms > refusedWithinMs)).toEqual([])
    },
    240_000,
  )
})
