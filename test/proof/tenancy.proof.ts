import { endpoints, type OperationId } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newId } from '../../packages/server/src/crypto/ids.ts'
import { changedTables, hashDatabase } from '../testing/database-hash.ts'
import { createClient, read, readReplica, type Answer, type Client } from '../testing/http.ts'
import { until, type ProofService } from '../testing/proof-service.ts'
import { openProviderWorld, type ProviderWorld } from '../testing/provider-world.ts'
import { draft, operationsWithIds, toAsk } from '../testing/request-table.ts'
import { newSyncId } from '../testing/seed-features.ts'
import {
  bearing,
  createTargetMaker,
  type Credential,
  type Inhabited,
  type Target,
  type TargetMaker,
} from '../testing/target.ts'
import { addressesOf, makeCases, type Address, type Case } from '../testing/tenancy-cases.ts'

const casesMin = 2_000
/** Stands in every name of the organization that nobody here may see. */
const mark = 'victim'

let world: ProviderWorld
let proof: ProofService
let clients: Record<Address, Client>
let maker: TargetMaker
let own: Inhabited
let foreign: Inhabited

beforeAll(async () => {
  world = await openProviderWorld()
  ;({ proof } = world)
  const { apiUrl, configUrl } = proof.current()
  clients = { api: createClient(apiUrl), delivery: createClient(configUrl) }
  maker = await createTargetMaker(proof, clients.api)
  own = await maker.inhabited('Own')
  await world.connect(own)
  foreign = await maker.inhabited(mark)
})

afterAll(async () => {
  for (const client of Object.values(clients ?? {})) client.close()
  await world?.close()
})

/** Ids of what was in the own organization, and of an organization that its owner had. */
async function makeDeleted(): Promise<Target> {
  const { headers } = own.credentials.owner
  const call = async (request: string, json?: object): Promise<Made> => {
    const [method = '', path = ''] = request.split(' ')
    const answer = await clients.api.send({ method, path, json, headers })
    return answer.status === 204 ? { id: '' } : (read(answer) as Made)
  }
  const root = `/organizations/${own.target.org}`
  const { id: env } = await call(`POST ${root}/environments`, { name: 'gone-env' })
  const { id: otherEnv } = await call(`POST ${root}/environments`, { name: 'gone-too' })
  const schema = { name: 'gone-app', schema: { a: { type: 'string' } } }
  const { id: sch } = await call(`POST ${root}/config-schemas`, schema)
  for (const a of ['b', 'c']) {
    const body = { schemaId: sch, environmentId: env, values: { a } }
    await call(`PUT ${root}/config-values`, body)
  }
  const path = `${root}/config-versions?schemaId=${sch}&environmentId=${env}`
  const [ver, otherVer] = (await call(`GET ${path}`)).items ?? []
  const { id: dep } = await call(`POST ${root}/deployments`, goneDeployment)
  const test = { name: 'gone', deploymentId: dep }
  const { id: run } = await call(`POST ${root}/test-runs`, test)
  // Deployments end with their repository, which is forgotten long after it was removed.
  await proof.asOwner(`delete from repositories where full_name = 'acme/gone'`)
  const { id: pat } = await call('POST /me/tokens', { name: 'gone' })
  const { id: org } = await call('POST /organizations', { name: 'Gone' })
  await call(`DELETE /me/tokens/${pat}`)
  await call(`DELETE ${root}/config-schemas/${sch}?force=true`)
  for (const id of [env, otherEnv]) await call(`DELETE ${root}/environments/${id}?force=true`)
  await call(`DELETE /organizations/${org}`)
  return {
    ...own.target,
    org,
    slug: 'gone',
    env,
    otherEnv,
    sch,
    pat,
    envName: 'gone-env',
    schName: 'gone-app',
    ver: ver?.id ?? '',
    otherVer: otherVer?.id ?? '',
    dep,
    run,
    dsp: newId('dsp', new Date()),
    rte: newId('rte', new Date()),
    usr: newId('usr', new Date()),
    inv: newId('inv', new Date()),
    ntf: newId('ntf', new Date()),
    dlv: newId('dlv', new Date()),
    whk: newId('whk', new Date()),
    msg: newId('msg', new Date()),
    tgt: newId('tgt', new Date()),
    job: newId('job', new Date()),
    sync: newSyncId(),
    issueSync: newSyncId(),
    agt: newId('key', new Date()),
    // A key is never deleted, only revoked.
    key: newId('key', new Date()),
  }
}

const goneDeployment = {
  repository: 'acme/gone',
  sha: 'c'.repeat(40),
  ref: 'main',
  environment: 'gone',
  state: 'success',
}

interface Made {
  readonly id: string
  readonly items?: readonly { readonly id: string }[]
}

const differing = new Set(['date', 'x-request-id', 'content-length'])

/** An answer without what differs between any two requests, and without what the request brought along. */
function comparable({ status, rawHeaders, bytes }: Answer, given: readonly string[]): string {
  const headers = rawHeaders.flatMap((name, i) =>
    i % 2 === 1 || differing.has(name.toLowerCase()) ? [] : [`${name}: ${rawHeaders[i + 1]}`],
  )
  const text = bytes.toString('utf8').replace(/req_[0-9a-z]{26}/g, 'REQUEST')
  const neutral = given.reduce((rest, value) => rest.replaceAll(value, 'GIVEN'), text)
  return [status, ...headers, neutral].join('\n')
}

/** Returns whether a response holds a name or id of the other organization that the request did not contain. */
function leaks(bytes: Buffer, given: readonly string[]): boolean {
  const { cursors, ...ids } = foreign.target
  const text = given.reduce((rest, value) => rest.replaceAll(value, ''), bytes.toString('utf8'))
  const hidden = [mark, ...Object.values(ids), ...Object.values(cursors)]
  return hidden.some((value) => text.includes(value))
}

function sendCase({ draft: made, credential, address }: SentCase): Promise<Answer> {
  return clients[address].send({ ...toAsk(made), headers: credential.headers })
}

type SentCase = Pick<Case, 'draft' | 'credential' | 'address'>

interface Result {
  readonly faults: readonly string[]
  readonly statuses: Readonly<Record<number, number>>
}

/** Sends the cases, eight at a time, and says what is wrong with the answers. */
async function run(cases: readonly Case[]): Promise<Result> {
  const faults: string[] = []
  const statuses: Record<number, number> = {}
  const firsts = new Map<string, string>()
  const judge = (one: Case, answer: Answer) => {
    const { status, bytes } = answer
    statuses[status] = (statuses[status] ?? 0) + 1
    const isEmptyList = one.narrows && status === 200 && bytes.toString().includes('"items":[]')
    if (!isEmptyList && (status < 400 || status >= 500))
      faults.push(`${one.name}: ${status} ${bytes.toString()}`)
    if (leaks(bytes, one.given)) faults.push(`${one.name} shows something: ${bytes.toString()}`)
    if (one.group === undefined) return
    const text = comparable(answer, one.given)
    const first = firsts.get(one.group)
    if (first === undefined) firsts.set(one.group, text)
    else if (first !== text) faults.push(`${one.name} is told apart:\n${text}\n${first}`)
  }
  const left = cases.values()
  const work = async () => {
    for (const one of left) judge(one, await sendCase(one))
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return { faults, statuses }
}

describe('an id of another organization (S2)', () => {
  it('is answered as one that does not exist, wherever it stands and whoever sends it', async () => {
    const every = Object.values(own.credentials)
    const cases = makeCases({
      own: own.target,
      foreign: foreign.target,
      deleted: await makeDeleted(),
      credentials: every,
      few: inject('scale') > 1 ? every : [own.credentials.owner, own.credentials.m2m],
      everywhere: bearing('bootstrap', proof.bootstrapToken),
    })
    const before = await hashDatabase(proof)
    const { faults, statuses } = await run(cases)
    const after = await hashDatabase(proof)
    const endpoints = operationsWithIds().length
    console.log(`${cases.length} cases of ${endpoints} endpoints: ${JSON.stringify(statuses)}`)
    expect(faults.slice(0, 10)).toEqual([])
    expect(changedTables(before, after)).toEqual([])
    expect(cases.length).toBeGreaterThan(casesMin)
  })

  /** The operator sees the server's own jobs, and through them no organization's. */
  const ofOrganizations = operationsWithIds().filter(
    (operationId) => !endpoints[operationId].path.startsWith('/server/'),
  )
  /** No page uploads reports; the short paths of OFREP have the organization from the key. */
  const forKeys: ReadonlySet<string> = new Set([
    'uploadTestReport',
    'evaluateFlagsByOfrep',
    'evaluateFlagByOfrep',
  ])

  /** Asks a host of the internet, or a provider about what it does not have, once every check here has passed. The rejection names it. */
  const asksOutside: Readonly<Partial<Record<OperationId, string>>> = {
    allowAgent: 'The document at assistant.invalid cannot be used',
    planTarget: 'GitHub does not show own/shop to Signalbox',
    connectIntegration: 'Slack is connected in a browser',
    settleNotification: 'Signalbox knows what became of the message',
  }

  it('control: the same requests with own ids are done, and an answer of the other is recognised', async () => {
    const done: string[] = []
    const refused: string[] = []
    for (const operationId of ofOrganizations) {
      const isDestructive = /^(delete|revoke|remove|disconnect)/.test(operationId)
      // Requests to providers need the organization that is connected.
      const { target, credentials } = isDestructive ? await maker.inhabited(operationId) : own
      for (const address of addressesOf(operationId)) {
        const isPerson = address === 'api' && !forKeys.has(operationId)
        const credential = isPerson ? credentials.owner : credentials.m2m
        const answer = await sendCase({ credential, address, draft: draft(operationId, target) })
        const line = `${operationId} at the ${address}: ${answer.status}`
        const outside = asksOutside[operationId]
        const isDone =
          outside === undefined
            ? answer.status >= 200 && answer.status < 300
            : answer.bytes.toString('utf8').includes(outside)
        if (isDone) done.push(line)
        else refused.push(`${line} ${answer.bytes.toString('utf8').slice(0, 300)}`)
      }
    }
    const shown = draft('getOrganization', foreign.target)
    const { owner } = foreign.credentials
    const { bytes } = await sendCase({ draft: shown, credential: owner, address: 'api' })
    expect(leaks(bytes, [])).toBe(true)
    expect(refused).toEqual([])
    expect(done.length).toBeGreaterThan(ofOrganizations.length)
  })
})

describe('a relay key (S2)', () => {
  const get = (path: string, { headers }: Pick<Credential, 'headers'>) =>
    clients.delivery.send({ method: 'GET', path, headers })

  /** Makes a relay key for one environment, and waits until the delivery knows it. */
  async function makeRelayKey({ target, credentials }: Inhabited): Promise<Credential> {
    const made = await clients.api.send({
      method: 'POST',
      path: `/organizations/${target.org}/api-keys`,
      json: { name: 'relay', kind: 'rly', environmentIds: [target.env] },
      headers: credentials.owner.headers,
    })
    const relay = bearing('relay key', (read(made) as { secret: string }).secret)
    await until(async () => (await get('/replica/mark', relay)).status === 200, 'the relay key')
    return relay
  }

  it('is sent nothing of another organization, not even by its hash; control: the other one is', async () => {
    const relay = await makeRelayKey(own)
    const theirs = await makeRelayKey(foreign)
    const ownTexts = await readReplica(clients.delivery, relay.headers)
    const foreignTexts = await readReplica(clients.delivery, theirs.headers)
    expect([...ownTexts.values()].filter((bytes) => leaks(bytes, []))).toEqual([])
    expect([...foreignTexts.values()].filter((bytes) => leaks(bytes, [])).length).toBeGreaterThan(4)

    const absent = `/replica/objects/${'a'.repeat(43)}`
    const expected = comparable(await get(absent, relay), [absent])
    expect(expected).toMatch(/^404\n/)
    const hashes = [...foreignTexts.keys()].filter((name) => name !== 'mark')
    for (const sha256 of hashes.filter((name) => !ownTexts.has(name))) {
      const path = `/replica/objects/${sha256}`
      expect(comparable(await get(path, relay), [path])).toBe(expected)
      expect((await get(path, theirs)).status).toBe(200)
    }
    for (const { name, headers } of Object.values(foreign.credentials)) {
      const { status } = await get(`/replica/objects/${hashes[0]}`, { headers })
      expect([name, status]).toEqual([name, expect.toSatisfy((is) => is === 401 || is === 403)])
    }
  })

  it('is sent its own environments alone', async () => {
    const texts = await readReplica(clients.delivery, (await makeRelayKey(own)).headers)
    const index = [...texts.values()][1]?.toString('utf8').split('\n').slice(1) ?? []
    const { org, env } = own.target
    expect(index.map((line) => line.split(' ')[0])).toEqual(['_._', `${org}._`, `${org}.${env}`])
  })
})

describe('the rows of another organization (S2)', () => {
  const countSql = (table: string) =>
    `select count(*)::int as count from ${table} where org_id = '${foreign.target.org}'`

  it('are out of reach in the database; control: its superuser, bound by no policy, sees them', async () => {
    const tables = await proof.asOwner<{ name: string }>(
      `select c.table_name as name from information_schema.columns c
       join pg_tables t on t.tablename = c.table_name and t.schemaname = c.table_schema
       where c.table_schema = 'public' and c.column_name = 'org_id'
         -- Of the others, such as single partitions, requests may not even read a row (row-level-security.test.ts).
         and has_table_privilege('signalbox_app', format('%I.%I', c.table_schema, c.table_name), 'select') order by 1`,
    )
    const seen: Record<string, number> = {}
    let there = 0
    for (const { name } of tables) {
      const [hidden] = await proof.asOrganization<{ count: number }>(own.target.org, countSql(name))
      const [row] = await proof.asOwner<{ count: number }>(countSql(name))
      if (hidden?.count !== 0) seen[name] = hidden?.count ?? -1
      if ((row?.count ?? 0) > 0) there++
    }
    console.log(
      `${tables.length} tables with rows of organizations, ${there} of them with such rows`,
    )
    expect(seen).toEqual({})
    expect(there).toBeGreaterThan(10)
  })
})
