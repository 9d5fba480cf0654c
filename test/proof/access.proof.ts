import { endpoints, isWrite, type EndpointShape, type OperationId } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { byDay } from '../testing/by-day.ts'
import { changedTables, hashDatabase, type DatabaseHash } from '../testing/database-hash.ts'
import { makeDeleted } from '../testing/access/deleted-target.ts'
import {
  createClient,
  read,
  readReplica,
  type Answer,
  type Ask,
  type Client,
} from '../testing/http.ts'
import { isPrepared, prepareRequest, type Supplies } from '../testing/access/prepared-requests.ts'
import { until, type ProofService } from '../testing/proof-service.ts'
import { openProviderWorld, type ProviderWorld } from '../testing/provider-world.ts'
import { draft, operationsWithIds, toAsk } from '../testing/request-table.ts'
import {
  bearing,
  createTargetMaker,
  type Credential,
  type Inhabited,
  type TargetMaker,
} from '../testing/target.ts'
import { addressesOf, makeCases, type Address, type Case } from '../testing/access/tenancy-cases.ts'

const casesMin = 1_000
const isLong = inject('scale') > 1
/** Stands in every name of the organization that nobody here may see. */
const mark = 'victim'

type Operation = EndpointShape & { readonly operationId: OperationId }
const every = Object.values(endpoints) as readonly Operation[]
const isForBrowsers = ({ access }: EndpointShape) =>
  access.kind === 'organization' && access.keys === 'm2m+b2m'

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

const askOf = (operationId: OperationId, { target }: Inhabited) => toAsk(draft(operationId, target))

/** Eight at a time. */
async function forEach<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all].values()
  const worker = async () => {
    for (const one of left) await work(one)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

interface Expected {
  readonly ask: Ask
  readonly address: Address
  readonly outcome: RegExp
}

/** Sends each request with each credential, and lists the outcomes that are not the expected ones. */
async function findUnexpected(
  all: readonly Expected[],
  credentials: readonly Credential['headers'][],
): Promise<string[]> {
  const wrong: string[] = []
  const before = await hashDatabase(proof)
  await forEach(all, async ({ ask, address, outcome }) => {
    for (const headers of credentials) {
      const answer = await clients[address].send({
        ...ask,
        headers: { ...ask.headers, ...headers },
      })
      const found = outcomeOf(answer)
      if (!outcome.test(found)) wrong.push(`${ask.method} ${ask.path} at the ${address}: ${found}`)
    }
  })
  const changed = changedTables(before, await hashDatabase(proof))
  return [...wrong, ...changed.map((table) => `something changed in ${table}`)]
}

/** Returns the outcome of a response in the words of its problem document. What is let through may be no JSON, such as a stream. */
function outcomeOf({ status, bytes }: Answer): string {
  const [, code = ''] = /^\{.*?"code":"(\w+)"/s.exec(bytes.toString('utf8')) ?? []
  return `${status} ${code}`
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

/** Sends the cases, and says what is wrong with the answers. */
async function run(cases: readonly Case[]) {
  const faults: string[] = []
  const statuses: Record<number, number> = {}
  const firsts = new Map<string, string>()
  await forEach(cases, async (one) => {
    const { headers } = one.credential
    const answer = await clients[one.address].send({ ...toAsk(one.draft), headers })
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
  })
  return { faults, statuses }
}

describe('an id of another organization (S2)', () => {
  it('is answered as one that does not exist, wherever it stands and whoever sends it', async () => {
    const { owner, viewer, m2m, b2m } = own.credentials
    // The organization is looked at before the role, so at night the roles between those two are tried as well.
    const credentials = isLong ? Object.values(own.credentials) : [owner, viewer, m2m, b2m]
    const cases = makeCases({
      own: own.target,
      foreign: foreign.target,
      deleted: await makeDeleted(proof, clients.api, own),
      credentials,
      few: isLong ? credentials : [owner],
      everywhere: bearing('bootstrap', proof.bootstrapToken),
    })
    const before = await hashDatabase(proof)
    const { faults, statuses } = await run(cases)
    const after = await hashDatabase(proof)
    const count = operationsWithIds().length
    console.log(`${cases.length} cases of ${count} endpoints: ${JSON.stringify(statuses)}`)
    expect(faults.slice(0, 10)).toEqual([])
    expect(changedTables(before, after)).toEqual([])
    expect(cases.length).toBeGreaterThan(casesMin)
  })
})

/** The same write, disguised as something else. */
function disguises(ask: Ask): Ask[] {
  const json = Buffer.from(JSON.stringify(ask.json ?? {}))
  const withHeaders = (headers: Record<string, string>, method = ask.method): Ask => ({
    method,
    path: ask.path,
    bytes: json,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const and = ask.path.includes('?') ? '&' : '?'
  return [
    withHeaders({ 'x-http-method-override': ask.method }, 'POST'),
    withHeaders({ 'x-method-override': ask.method, 'x-http-method': ask.method }, 'GET'),
    { ...withHeaders({}, 'POST'), path: `${ask.path}${and}_method=${ask.method}` },
    withHeaders({ 'content-type': 'text/plain' }),
    withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }),
    { ...ask, path: `${ask.path}${and}apiKey=${own.secrets.b2m}` },
    { ...ask, path: ask.path.replace('/organizations/', '/organizations//') },
    { ...ask, path: ask.path.toUpperCase() },
    { ...ask, path: `${ask.path.split('?')[0]}/` },
  ]
}

const otherMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

describe('a browser key (S3)', () => {
  /** The key in every form in which a key is accepted. */
  async function listCredentials(): Promise<Credential['headers'][]> {
    const { headers } = own.credentials.b2m
    const me = await clients.api.send({ method: 'GET', path: '/me', headers })
    const { id } = read(me) as { id: string }
    const answer = await clients.api.send({
      method: 'POST',
      path: '/oauth/token',
      json: {
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: own.secrets.b2m,
      },
    })
    if (answer.status !== 200) return [headers]
    const { access_token: token } = read(answer) as { access_token: string }
    return [headers, bearing('exchanged', token).headers]
  }

  it('changes nothing: 403 in its own organization, 404 in another, whatever the request looks like', async () => {
    // Endpoints with a body write, or read what no browser key may.
    const refused = every.filter((one) => one.method !== 'GET' && !isForBrowsers(one))
    const plain = refused.flatMap(({ operationId, access }): Expected[] => {
      const ask = askOf(operationId, own)
      const outcome = access.kind === 'open' ? /^4\d\d/ : /^403 key_kind_forbidden$/
      const other = { ask: askOf(operationId, foreign), outcome: /^404 not_found$/ }
      return [
        { ask, address: 'api', outcome },
        { ask, address: 'delivery', outcome: /^404 not_found$/ },
        ...(access.kind === 'organization' ? [{ ...other, address: 'api' as const }] : []),
      ]
    })
    // Neither a disguise nor the other listener knows the endpoint.
    const disguised = byDay(refused, 5).flatMap(({ operationId }) =>
      disguises(askOf(operationId, own)).map((ask): Expected => {
        const outcome = ask.method === 'GET' ? /^[24]\d\d/ : /^4\d\d/
        return { ask, address: 'api', outcome }
      }),
    )
    const methods = (address: Address) => (operation: Operation) =>
      otherMethods
        .filter((method) => method !== operation.method)
        .map((method): Expected => {
          const outcome = method === 'OPTIONS' ? /^[24]\d\d/ : /^4\d\d/
          const { path } = askOf(operation.operationId, own)
          return { ask: { method, path }, address, outcome }
        })
    const drafted = every.filter(hasDraft)
    const all = [
      ...plain,
      ...disguised,
      ...drafted.flatMap(methods('api')),
      ...byDay(drafted, 5).flatMap(methods('delivery')),
    ]
    console.log(`${all.length} requests with a browser key, ${refused.length} endpoints`)
    // A guessed password of an account that does not exist is no event.
    expect(await findUnexpected(all, await listCredentials())).toEqual([])
    expect(refused.length).toBeGreaterThan(100)
  })
})

describe('a relay key', () => {
  let relay: Credential
  let theirs: Credential
  beforeAll(async () => {
    relay = await makeRelayKey(own)
    theirs = await makeRelayKey(foreign)
  })

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
    const key = bearing('relay key', (read(made) as { secret: string }).secret)
    await until(async () => (await get('/replica/mark', key)).status === 200, 'the relay key')
    return key
  }

  it('is sent nothing of another organization, not even by its hash; control: the other one is (S2)', async () => {
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

  it('is sent its own environments alone (S2)', async () => {
    const texts = await readReplica(clients.delivery, relay.headers)
    const index = [...texts.values()][1]?.toString('utf8').split('\n').slice(1) ?? []
    const { org, env } = own.target
    expect(index.map((line) => line.split(' ')[0])).toEqual(['_._', `${org}._`, `${org}.${env}`])
  })

  it('is refused by every endpoint, also by those that read, and changes nothing (S3)', async () => {
    const closed = every.filter((one) => one.access.kind !== 'open' && hasDraft(one))
    const all = closed.flatMap(({ operationId, access, listener }): Expected[] => {
      // The delivery looks at the kind of a key first. OFREP has its own form of a rejection.
      const isDelivered = listener === 'delivery'
      const outcome = isDelivered ? /^403 / : /^403 key_kind_forbidden$/
      const ask = askOf(operationId, own)
      const other = { ask: askOf(operationId, foreign), address: 'api' } as const
      return [
        { ask, address: 'api', outcome },
        ...(access.kind === 'organization'
          ? [{ ...other, outcome: isDelivered ? outcome : /^404 not_found$/ }]
          : []),
      ]
    })
    console.log(`${closed.length} endpoints with a relay key`)
    expect(await findUnexpected(all, [relay.headers])).toEqual([])
    expect(closed.length).toBeGreaterThan(100)
  })
})

function hasDraft({ operationId }: Operation): boolean {
  try {
    draft(operationId, own.target)
    return true
  } catch {
    return false
  }
}

describe('control: the same requests by who may', () => {
  /** No page uploads reports and definitions or asks a gate; the short paths of OFREP have the organization from the key. */
  const forKeys: ReadonlySet<string> = new Set([
    'uploadTestReport',
    'askGate',
    'uploadCommitDefinition',
    'createPreviewEnvironment',
    'evaluateFlagsByOfrep',
    'evaluateFlagByOfrep',
  ])

  /** Asks a host of the internet, or a provider about what it does not have, once every check here has passed. The rejection names it. */
  const asksOutside: Readonly<Partial<Record<OperationId, string>>> = {
    allowAgent: 'The document at assistant.invalid cannot be used',
    planTarget: 'GitHub does not show own/shop to Signalbox',
    connectIntegration: 'Slack is connected in a browser',
  }

  /** Begun or ended with an OpenID provider, which this server has none of. */
  const needsOidcProvider = /^(begin|delete)Oidc/

  /** Ends what the organization or its owner has, so another one is asked for. */
  const isDestructive = ({ operationId }: Operation) =>
    /^(delete|revoke|remove|signOut|disconnect|endSession|endOtherSessions|endMemberSessions|changePassword|confirmSecondFactor|acceptInvitation)/.test(
      operationId,
    )

  /** The hash after the request before, where nothing has changed since. */
  let unchanged: DatabaseHash | undefined

  /** Sends a request at each address where it is answered. Returns where it is not done. */
  async function send(
    { operationId, access }: Operation,
    ask: Ask,
    { owner, m2m }: Inhabited['credentials'],
  ): Promise<string[]> {
    const operator = bearing('bootstrap', proof.bootstrapToken)
    const person = access.kind === 'operator' ? operator : owner
    const refused: string[] = []
    for (const address of addressesOf(operationId)) {
      const { headers } = address === 'delivery' || forKeys.has(operationId) ? m2m : person
      const sent = { ...ask, headers: { ...ask.headers, ...headers } }
      const { status, bytes } = await clients[address].send(sent)
      const text = bytes.toString('utf8')
      const outside = asksOutside[operationId]
      const isDone = outside === undefined ? status >= 200 && status < 400 : text.includes(outside)
      if (!isDone) refused.push(`${operationId} at the ${address}: ${status} ${text.slice(0, 300)}`)
    }
    return refused
  }

  /** Returns what a request lacks of being done, and of changing something where it writes. */
  async function tryRequest(operation: Operation, inhabited: Inhabited): Promise<string[]> {
    const { operationId } = operation
    const supplies: Supplies = { world, maker, api: clients.api }
    if (isPrepared(operationId)) unchanged = undefined
    const ask = await prepareRequest(supplies, operationId, inhabited)
    // By night: to hash the database takes longer than most requests.
    if (!isLong || !isWrite(operation) || operationId in asksOutside) {
      unchanged = undefined
      return send(operation, ask, inhabited.credentials)
    }
    const countPosts = () => world.sandbox.slack.messages('deployments').length
    const postsBefore = countPosts()
    const before = unchanged ?? (await hashDatabase(proof))
    const refused = await send(operation, ask, inhabited.credentials)
    unchanged = await hashDatabase(proof)
    const hasChanged = changedTables(before, unchanged).length > 0 || countPosts() > postsBefore
    return hasChanged ? refused : [...refused, `${operationId} changes nothing`]
  }

  it('with own ids are done, and an answer about the other is recognised; by night each that writes changes something', async () => {
    const withIds = new Set(operationsWithIds())
    const asked = every.filter(
      (one) =>
        one.access.kind !== 'open' &&
        // Takes no session. What its tools change is looked at beside them.
        one.access.kind !== 'assistant' &&
        (isWrite(one) || withIds.has(one.operationId)) &&
        !needsOidcProvider.test(one.operationId),
    )
    const lacks: string[] = []
    let doomed = await maker.inhabited('Doomed')
    for (const operation of asked) {
      if (!isDestructive(operation)) {
        lacks.push(...(await tryRequest(operation, own)))
        continue
      }
      const found = await tryRequest(operation, doomed).catch(String)
      if (found.length === 0) continue
      // A request before this one has ended it already, together with something else.
      doomed = await maker.inhabited(operation.operationId)
      unchanged = undefined
      lacks.push(...(await tryRequest(operation, doomed)))
    }
    const { headers } = foreign.credentials.owner
    const { bytes } = await clients.api.send({ ...askOf('getOrganization', foreign), headers })
    expect(leaks(bytes, [])).toBe(true)
    expect(lacks).toEqual([])
    const closed = every.filter((one) => one.access.kind !== 'open' && withIds.has(one.operationId))
    expect(asked.length).toBeGreaterThan(closed.length)
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
