import { endpoints, isWrite, type EndpointShape, type OperationId } from '@signalbox/contract/rest'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedTables, hashDatabase } from '../testing/database-hash.ts'
import { createClient, read, type Answer, type Ask, type Client } from '../testing/http.ts'
import type { ProofService } from '../testing/proof-service.ts'
import { openProviderWorld, type ProviderWorld } from '../testing/provider-world.ts'
import { draft, toAsk } from '../testing/request-table.ts'
import { bearing, createTargetMaker, type Inhabited, type TargetMaker } from '../testing/target.ts'

const every = Object.values(endpoints) as readonly (EndpointShape & {
  readonly operationId: OperationId
})[]
const isForBrowsers = ({ access }: EndpointShape) =>
  access.kind === 'organization' && access.keys === 'm2m+b2m'
/** Lists the endpoints with a body: they write, or read what no browser key may. */
const refused = every.filter((one) => one.method !== 'GET' && !isForBrowsers(one))

let world: ProviderWorld
let proof: ProofService
let api: Client
let delivery: Client
let maker: TargetMaker
let own: Inhabited
let foreign: Inhabited

beforeAll(async () => {
  world = await openProviderWorld()
  ;({ proof } = world)
  const { apiUrl, configUrl } = proof.current()
  api = createClient(apiUrl)
  delivery = createClient(configUrl)
  maker = await createTargetMaker(proof, api)
  own = await maker.inhabited('Own')
  await world.connect(own)
  foreign = await maker.inhabited('Other')
})

afterAll(async () => {
  api?.close()
  delivery?.close()
  await world?.close()
})

const askOf = (operationId: OperationId, { target }: Inhabited) => toAsk(draft(operationId, target))

/** Returns the outcome of a response in the words of its problem document. */
function outcomeOf({ status, bytes }: Answer): string {
  const text = bytes.toString('utf8')
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
  return `${status} ${body instanceof Object ? String(Reflect.get(body, 'code')) : ''}`.trim()
}

/** The browser key in every form in which a key is accepted. */
async function browserCredentials(): Promise<Record<string, string>[]> {
  const { headers } = own.credentials.b2m
  const { id } = read(await api.send({ method: 'GET', path: '/me', headers })) as { id: string }
  const exchange = { grant_type: 'client_credentials', client_id: id }
  const answer = await api.send({
    method: 'POST',
    path: '/oauth/token',
    json: { ...exchange, client_secret: own.secrets.b2m },
  })
  if (answer.status !== 200) return [headers]
  const { access_token } = read(answer) as { access_token: string }
  return [headers, { authorization: `Bearer ${access_token}` }]
}

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

const operator = () => bearing('bootstrap', proof.bootstrapToken)

/** Stores an application with a secret in place of another one, which can be ended then. */
async function replaceWebhookSecret(): Promise<void> {
  const { id, slug, clientId, clientSecret, privateKey } = world.sandbox.github.app
  const app = { provider: 'github', appId: String(id), slug, clientId, clientSecret, privateKey }
  for (const webhookSecret of ['the-first-webhook-secret', 'the-second-webhook-secret']) {
    const json = { ...app, webhookSecret }
    const path = '/server/provider-apps/github'
    read(await api.send({ method: 'PUT', path, json, headers: operator().headers }))
  }
}

/** Makes the failed job of an organization one of the server. */
async function giveToServer({ target }: Inhabited): Promise<void> {
  await proof.asOwner('update failed_jobs set org_id = null, retried_at = null where id = $1', [
    target.job,
  ])
}

/** Makes nobody know whether the message arrived: only such a one is settled. */
async function loseAnswer({ target }: Inhabited): Promise<void> {
  const sql = `update notifications set state = 'broken', reason = 'outcome_unknown' where id = $1`
  await proof.asOwner(sql, [target.ntf])
}

/** Pausing a webhook that is off changes nothing. */
async function switchOn({ target }: Inhabited): Promise<void> {
  await proof.asOwner('update outgoing_webhooks set enabled = true where id = $1', [target.whk])
}

/** Begun or ended with an OpenID provider, which this server has none of. */
const needsOidcProvider: ReadonlySet<string> = new Set([
  'beginOidcLink',
  'beginOidcConfirm',
  'deleteOidcLink',
])

/** Asks the host of an assistant, of which the tests have none. */
const needsAssistant: ReadonlySet<string> = new Set(['allowAgent'])

/** A device asks to be let in, and the owner has looked at its code unless that is what comes next. Gives the code. */
async function askForDevice(operationId: string, { credentials }: Inhabited): Promise<string> {
  const json = { client_id: 'signalbox-cli' }
  const asked = await api.send({ method: 'POST', path: '/oauth/device_authorization', json })
  const { user_code: userCode } = read(asked) as { user_code: string }
  if (operationId !== 'claimDevice') {
    const { headers } = credentials.owner
    read(await api.send({ method: 'POST', path: '/device/claim', json: { userCode }, headers }))
  }
  return userCode
}

/** Done to the session or the account of the owner, who is another one each time. */
const ofAccount = /^(endSession|endOtherSessions|confirmSecondFactor|acceptInvitation)$/

/** Asks as the owner of what was made. */
type OwnersCall = (method: string, path: string, json?: object) => Promise<unknown>

interface Account extends Inhabited {
  readonly call: OwnersCall
  readonly userId: string
  readonly email: string
}

/**
 * Prepares endpoints that need an existing resource: it creates the resource, and returns the further members of the
 * request.
 */
const preparations: Partial<Record<OperationId, (account: Account) => Promise<Partial<Ask>>>> = {
  async acceptInvitation({ email }) {
    const { org } = await maker.target('Inviting')
    const path = `/organizations/${org}/invitations`
    const json = { email, role: 'viewer' }
    const made = read(await api.send({ method: 'POST', path, json, ...operator() }))
    return { json: { token: (made as { url: string }).url.split('#')[1] } }
  },
  async confirmSecondFactor({ call }) {
    const { secret } = (await call('POST', '/me/second-factor')) as { secret: string }
    return { json: { code: new TOTP({ secret }).generate() } }
  },
  async removeSecondFactor({ userId }) {
    await proof.asOwner(
      `insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now())
        on conflict (user_id) do update set confirmed_at = now()`,
      [userId],
    )
    return {}
  },
  async endSession(account) {
    await addSession(account, 'endSession')
    const sessions = await account.call('GET', '/sessions')
    const { items } = sessions as { items: { id: string; current: boolean }[] }
    return { path: `/sessions/${items.find(({ current }) => !current)?.id ?? ''}` }
  },
  async endOtherSessions(account) {
    await addSession(account, 'endOtherSessions')
    return {}
  },
}

async function addSession({ userId, target }: Account, name: string): Promise<void> {
  await proof.asOwner(
    `insert into sessions (token_hash, user_id, expires_at) values (sha256($1::bytea), $2, now() + interval '1 day')`,
    [`${target.org} ${name}`, userId],
  )
}

async function prepareAccount(
  operationId: OperationId,
  inhabited: Inhabited,
): Promise<Partial<Ask>> {
  const prepare = preparations[operationId]
  if (prepare === undefined) return {}
  const { headers } = inhabited.credentials.owner
  const call: OwnersCall = async (method, path, json) =>
    read(await api.send({ method, path, json, headers }))
  const { id: userId, email } = (await call('GET', '/me')) as { id: string; email: string }
  return prepare({ ...inhabited, call, userId, email })
}

const otherMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

describe('a browser key (S3)', () => {
  it('changes nothing: 403 in its own organization, 404 in another, whatever the request looks like', async () => {
    const credentials = await browserCredentials()
    const before = await hashDatabase(proof)
    const wrong: string[] = []
    let sent = 0
    const expectOutcome = async (client: Client, ask: Ask, expected: RegExp) => {
      for (const headers of credentials) {
        sent++
        const answer = await client.send({ ...ask, headers: { ...ask.headers, ...headers } })
        const outcome = outcomeOf(answer)
        if (!expected.test(outcome)) wrong.push(`${ask.method} ${ask.path}: ${outcome}`)
      }
    }
    for (const { operationId, access } of refused) {
      const isOpen = access.kind === 'open'
      const ask = askOf(operationId, own)
      await expectOutcome(api, ask, isOpen ? /^4\d\d/ : /^403 key_kind_forbidden$/)
      if (access.kind === 'organization') {
        await expectOutcome(api, askOf(operationId, foreign), /^404 not_found$/)
      }
      for (const disguised of disguises(ask)) {
        const isRead = disguised.method === 'GET'
        await expectOutcome(api, disguised, isRead ? /^[24]\d\d/ : /^4\d\d/)
      }
      await expectOutcome(delivery, ask, /^404 not_found$/)
    }
    for (const { operationId, method } of every.filter((one) => hasDraft(one.operationId))) {
      const { path } = askOf(operationId, own)
      for (const other of otherMethods.filter((one) => one !== method)) {
        const expected = other === 'OPTIONS' ? /^[24]\d\d/ : /^4\d\d/
        await expectOutcome(api, { method: other, path }, expected)
        await expectOutcome(delivery, { method: other, path }, expected)
      }
    }
    const after = await hashDatabase(proof)
    console.log(
      `${sent} requests with a browser key, ${refused.length} endpoints that are not for it`,
    )
    expect(wrong).toEqual([])
    // A guessed password of an account that does not exist is no event.
    expect(changedTables(before, after)).toEqual([])
  })

  it('control: the same requests of an owner change the database, each of them', async () => {
    const unchanged: string[] = []
    const closed = every.filter(
      (one) =>
        isWrite(one) &&
        one.access.kind !== 'open' &&
        // Takes no session. What its tools change is looked at beside them.
        one.access.kind !== 'assistant' &&
        !needsOidcProvider.has(one.operationId) &&
        !needsAssistant.has(one.operationId) &&
        // Slack is connected in a browser, so the form of a chat changes nothing here.
        one.operationId !== 'connectIntegration',
    )
    await replaceWebhookSecret()
    for (const { operationId, access } of closed) {
      const isDestructive =
        /^(delete|revoke|remove|signOut|disconnect)/.test(operationId) ||
        ofAccount.test(operationId)
      const inhabited = isDestructive ? await maker.inhabited(operationId) : own
      if (operationId === 'retryServerFailedJob') await giveToServer(inhabited)
      if (operationId === 'settleNotification') await loseAnswer(inhabited)
      if (operationId === 'pauseOutgoingWebhook') await switchOn(inhabited)
      const ask = askOf(operationId, inhabited)
      const asked = operationId.endsWith('Device')
        ? { ...ask, json: { userCode: await askForDevice(operationId, inhabited) } }
        : { ...ask, ...(await prepareAccount(operationId, inhabited)) }
      const before = await hashDatabase(proof)
      const { headers } = access.kind === 'operator' ? operator() : inhabited.credentials.owner
      const sent = world.sandbox.slack.messages('deployments').length
      const answer = await api.send({ ...asked, headers })
      const changed = changedTables(before, await hashDatabase(proof))
      const posted = world.sandbox.slack.messages('deployments').length - sent
      if (changed.length + posted === 0) unchanged.push(`${operationId}: ${outcomeOf(answer)}`)
    }
    expect(closed.length).toBeGreaterThan(20)
    expect(unchanged).toEqual([])
  })
})

describe('a relay key (S3)', () => {
  it('is refused by every endpoint, also by those that read, and changes nothing', async () => {
    const made = await api.send({
      method: 'POST',
      path: `/organizations/${own.target.org}/api-keys`,
      json: { name: 'relay', kind: 'rly', environmentIds: [own.target.env] },
      headers: own.credentials.owner.headers,
    })
    const { headers } = bearing('relay key', (read(made) as { secret: string }).secret)
    const closed = every.filter(
      ({ operationId, access }) => access.kind !== 'open' && hasDraft(operationId),
    )
    const before = await hashDatabase(proof)
    const wrong: string[] = []
    for (const { operationId, access, listener } of closed) {
      // The delivery looks at the kind of a key first. OFREP has its own form of a rejection.
      const isDelivered = listener === 'delivery'
      const expected = isDelivered ? /^403 / : /^403 key_kind_forbidden$/
      const outcome = outcomeOf(await api.send({ ...askOf(operationId, own), headers }))
      if (!expected.test(outcome)) wrong.push(`${operationId}: ${outcome}`)
      if (access.kind !== 'organization') continue
      const other = outcomeOf(await api.send({ ...askOf(operationId, foreign), headers }))
      const isRefused = isDelivered ? other === outcome : other === '404 not_found'
      if (!isRefused) wrong.push(`${operationId} of another: ${other}`)
    }
    const after = await hashDatabase(proof)
    console.log(`${closed.length} endpoints with a relay key`)
    expect(wrong).toEqual([])
    expect(changedTables(before, after)).toEqual([])
    expect(closed.length).toBeGreaterThan(100)
  })
})

function hasDraft(operationId: OperationId): boolean {
  try {
    draft(operationId, own.target)
    return true
  } catch {
    return false
  }
}
