import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStream } from '../../../packages/server/src/delivery/testing/http-client.ts'
import { browserRequests, type BrowserFixture } from './browser-world.ts'
import type { Canaries } from './canaries.ts'
import { bearer, createClient, read, type Answer, type Client } from '../http.ts'
import { until, type ProofService } from '../proof-service.ts'
import type { Audience, RecordedAsk, Recorder } from './recorder.ts'

/** Somebody who asks, and what they present. */
export interface Asker {
  readonly audience: Audience
  readonly headers: Readonly<Record<string, string>>
}

/** Holds the parts that a walk uses. */
export interface Walk {
  readonly proof: ProofService
  readonly canaries: Canaries
  readonly recorder: Recorder
  readonly api: Client
  readonly delivery: Client
  /** Calls as `asker`: at the API unless the request says otherwise. Answers whatever comes. */
  readonly call: (
    asker: Asker,
    request: string,
    more?: Omit<RecordedAsk, 'method' | 'path'>,
  ) => Promise<Answer>
  close(): void
}

export function createWalk(proof: ProofService, canaries: Canaries, recorder: Recorder): Walk {
  const api = createClient(proof.current().apiUrl)
  const delivery = createClient(proof.current().configUrl)
  return {
    proof,
    canaries,
    recorder,
    api,
    delivery,
    call({ audience, headers }, request, more = {}) {
      const [method = 'GET', path = '/'] = request.split(' ')
      const client = path.startsWith('/snapshots') || path.includes('/config/') ? delivery : api
      const ask = { ...more, method, path, headers: { ...headers, ...more.headers } }
      return recorder.send(client, audience, ask)
    },
    close() {
      api.close()
      delivery.close()
    },
  }
}

/** Everybody and everything of the organization that the walk is about. */
export interface WalkTarget extends BrowserFixture {
  readonly askers: {
    readonly owner: Asker
    readonly token: Asker
    readonly bootstrap: Asker
    readonly server: Asker
    readonly accessToken: Asker
    readonly browser: Asker
    readonly nobody: Asker
  }
  readonly userEmail: string
}

const nobody: Asker = { audience: 'anonymous', headers: {} }
const ownPage = { 'sec-fetch-site': 'same-origin', 'x-requested-by': 'signalbox' }

/** The part of a token that proves something. What stands before it is shown in lists. */
const secretPart = (token: string) => token.slice(-36)

/** Sets the service up by its link, signs in, makes keys and tokens; each credential becomes a canary. */
export async function settle(walk: Walk): Promise<WalkTarget> {
  const { proof, canaries, call } = walk
  const credential = (label: string, text: string) => {
    canaries.add({ kind: 'credential', label, text })
    return text
  }
  credential('bootstrap token', proof.bootstrapToken)
  const rootKey = readFileSync(join(proof.dataDir, 'root.key'), 'utf8').trim()
  credential('root key', rootKey)
  credential('root key in latin-1', Buffer.from(rootKey, 'base64url').toString('latin1'))
  const setupToken = credential('setup token', setupTokenOf(proof))
  const password = canaries.make('credential', 'password')
  const userEmail = 'owner@example.com'
  const name = 'The Owner'
  const organizationName = 'Secrets'
  const account = { token: setupToken, name, email: userEmail, password, organizationName }
  const setup = { ...account, withServerKey: true }
  const opened = await call(nobody, 'POST /setup', { json: setup, shows: 'credentials' })
  const { organization, environments, keys } = read(opened) as SetUp
  const [m2m = '', b2m = ''] = keys.map(({ secret }) => secret)
  credential('first server key', secretPart(m2m))
  credential('session of the setup', cookieValue(opened))
  const signIn = { json: { email: userEmail, password }, shows: 'credentials' as const }
  const signedIn = await call(nobody, 'POST /sessions', signIn)
  credential('session', cookieValue(signedIn))
  const cookie = `__Host-s=${cookieValue(signedIn)}`
  const owner: Asker = { audience: 'person', headers: { cookie, ...ownPage } }
  const make = async (label: string, request: string, json: object): Promise<string> => {
    const { secret } = read(await call(owner, request, { json, shows: 'credentials' })) as Secret
    credential(label, secretPart(secret))
    return secret
  }
  const pat = await make('personal token', 'POST /me/tokens', { name: 'laptop', manages: true })
  const keysPath = `/organizations/${organization.id}/api-keys`
  const key = await make('server key', `POST ${keysPath}`, { name: 'server', kind: 'm2m' })
  const rotated = (read(await call(owner, `GET ${keysPath}`)) as List).items[0]?.id ?? ''
  await make('rotated server key', `POST ${keysPath}/${rotated}/rotate`, { overlapSeconds: 600 })
  const exchange = {
    grant_type: 'client_credentials',
    client_id: rotated,
    client_secret: key,
  }
  const exchanged = await call(nobody, 'POST /oauth/token', {
    json: exchange,
    shows: 'credentials',
  })
  const { access_token } = read(exchanged) as { access_token: string }
  credential('access token', access_token.split('.')[2] ?? '')
  const person = (token: string): Asker => ({ audience: 'person', headers: bearer(token) })
  const machine = (token: string): Asker => ({ audience: 'server', headers: bearer(token) })
  return {
    ...(await makeSchema(walk, owner, organization.id)),
    orgId: organization.id,
    slug: organization.slug,
    environments,
    browserKey: b2m,
    userEmail,
    askers: {
      owner,
      token: person(pat),
      bootstrap: person(proof.bootstrapToken),
      server: machine(m2m),
      accessToken: machine(access_token),
      browser: { audience: 'browser', headers: bearer(b2m) },
      nobody,
    },
  }
}

interface SetUp {
  readonly organization: { readonly id: string; readonly slug: string }
  readonly environments: { readonly id: string; readonly name: string }[]
  readonly keys: readonly Secret[]
}

interface Secret {
  readonly secret: string
}

interface List {
  readonly items: readonly { readonly id: string }[]
}

function setupTokenOf(proof: ProofService): string {
  return new URL(proof.current().setupUrl ?? '').hash.replace('#token=', '')
}

function cookieValue({ headers }: Answer): string {
  return /__Host-s=([^;]+)/.exec(headers['set-cookie']?.[0] ?? '')?.[1] ?? ''
}

/** Keys of every tier. Of the secret ones, names and defaults are canaries as well. */
export function definitionOf(
  place: Pick<BrowserFixture, 'secretKeys'>,
  canaries: Canaries,
): object {
  const secrets = place.secretKeys.map((key, i) => {
    const withDefault = i % 2 === 0
    const text = withDefault && { default: canaries.make('value', `default of secret ${i}`) }
    return [key, { type: 'string', tier: 'secret', ...text }] as const
  })
  return {
    ...Object.fromEntries(secrets),
    apiUrl: { type: 'string', tier: 'public', default: 'https://api.example.com' },
    greeting: { type: 'string', tier: 'public' },
    secretNumber: { type: 'number', tier: 'secret' },
    shortSecret: { type: 'string', tier: 'secret', constraints: { maxLength: 3 } },
    newCheckout: { type: 'boolean', tier: 'featureFlags', default: false },
  }
}

async function makeSchema(walk: Walk, owner: Asker, orgId: string) {
  const { canaries, call } = walk
  const names = Array.from({ length: 6 }, (_, i) => canaries.make('name', `secret ${i}`))
  const definition = definitionOf({ secretKeys: names }, canaries)
  const json = { name: 'app', schema: definition }
  const made = await call(owner, `POST /organizations/${orgId}/config-schemas`, { json })
  const { id: schemaId } = read(made) as { id: string }
  return {
    schemaId,
    schema: 'app',
    secretKeys: names,
    openKeys: ['apiUrl', 'greeting', 'newCheckout'],
  }
}

/** Writes secrets in every way there is, moves them about, and reads them back as everybody who may and may not. */
export async function writeSecrets(walk: Walk, place: WalkTarget): Promise<void> {
  const { canaries, call } = walk
  const { orgId, schemaId, environments, secretKeys, askers } = place
  const root = `/organizations/${orgId}`
  const writers = [askers.owner, askers.token, askers.bootstrap, askers.server, askers.accessToken]
  for (const [i, { id: environmentId, name }] of environments.entries()) {
    for (const [j, writer] of writers.entries()) {
      const key = secretKeys[j % secretKeys.length] ?? ''
      const values = {
        [key]: canaries.make('value', `${name} by writer ${j}`),
        greeting: `${i}${j}`,
      }
      // A server key is answered with what it may read anyway.
      const shows = writer.audience === 'server' ? 'values' : 'nothing'
      const json = { schemaId, environmentId, values, comment: 'A comment' }
      read(await call(writer, `PUT ${root}/config-values`, { json, shows }))
      await call(writer, `PUT ${root}/config-values`, { json: { ...json, dryRun: true }, shows })
    }
  }
  for (const writer of writers) await moveSecrets(walk, place, writer)
}

/** Promotes, compares, restores and deletes. */
async function moveSecrets(walk: Walk, place: WalkTarget, writer: Asker): Promise<void> {
  const { call } = walk
  const { orgId, schemaId, environments, secretKeys } = place
  const [first, second] = environments
  if (first === undefined || second === undefined) throw new Error('There are no environments')
  const root = `/organizations/${orgId}`
  const promotion = {
    schemaId,
    fromEnvironmentId: first.id,
    toEnvironmentId: second.id,
    include: ['secret'],
  }
  const promote = `POST ${root}/config-values/promote`
  read(await call(writer, promote, { json: { ...promotion, dryRun: true } }))
  read(await call(writer, promote, { json: promotion }))
  await readBack(walk, place, writer)
  const pair = `schemaId=${schemaId}&environmentId=${first.id}`
  const { items } = read(await call(writer, `GET ${root}/config-versions?${pair}`)) as List
  const [newest, , older] = items
  read(await call(writer, `GET ${root}/config-versions/${newest?.id}`))
  read(await call(writer, `GET ${root}/config-versions/${newest?.id}?against=${older?.id}`))
  read(await call(writer, `POST ${root}/config-versions/${older?.id}/restore`, { json: {} }))
  const shows = writer.audience === 'server' ? 'values' : 'nothing'
  read(await call(writer, `DELETE ${root}/config-values?${pair}&key=${secretKeys[5]}`, { shows }))
}

async function readBack({ call }: Walk, place: WalkTarget, reader: Asker): Promise<void> {
  const { orgId, schemaId, schema, environments, secretKeys } = place
  const root = `/organizations/${orgId}`
  const mayRead = reader.audience === 'server' ? 'values' : 'nothing'
  for (const { id, name } of environments) {
    const path = `${root}/config-values?schemaId=${schemaId}&environmentId=${id}`
    await call(reader, `GET ${path}`, { shows: mayRead })
    await call(reader, `GET ${path}&reveal=true`, { shows: 'values' })
    await call(reader, `GET /snapshots/${schemaId}/${id}`, { shows: mayRead })
    await call(reader, `GET /snapshots/${schemaId}/${id}/2`, { shows: mayRead })
    const named = `environment=${name}&schema=${schema}`
    await call(reader, `GET ${root}/config/values?${named}`, { shows: mayRead })
    await call(reader, `GET ${root}/config/snapshot?${named}`, { shows: mayRead })
    for (const key of secretKeys) {
      await call(reader, `GET ${root}/config/values/${key}?${named}`, { shows: mayRead })
    }
  }
  await call(reader, `GET ${root}/config-schemas/${schemaId}`, { shows: mayRead })
  await call(reader, `GET ${root}/config-schemas`, { shows: mayRead })
  await call(reader, `GET ${root}/config-schemas/${schemaId}/report`)
  await call(reader, `GET ${root}/audit-events?limit=100`)
  await call(reader, `GET ${root}/api-keys`)
  await call(reader, 'GET /me')
}

/** Sends secrets where they are refused, so that the rejections and the log had them in their hands. */
export async function sendRefusedSecrets(walk: Walk, place: WalkTarget): Promise<void> {
  const { canaries, call } = walk
  const { orgId, schemaId, environments, secretKeys, askers, userEmail } = place
  const path = `PUT /organizations/${orgId}/config-values`
  const environmentId = environments[0]?.id
  const [key = ''] = secretKeys
  const secret = (label: string) => canaries.make('value', `refused ${label}`)
  const bodies: readonly [string, (text: string) => object][] = [
    ['unknown key', (text) => ({ values: { nowhere: text } })],
    ['wrong type', (text) => ({ values: { secretNumber: text } })],
    ['constraint', (text) => ({ values: { shortSecret: text } })],
    ['in an object', (text) => ({ values: { [key]: { nested: [text] } } })],
    ['beside a wrong one', (text) => ({ values: { [key]: text, newCheckout: 'yes' } })],
    ['unknown field', (text) => ({ values: {}, secret: text })],
    ['as an id', (text) => ({ values: {}, schemaId: text })],
    ['too large', (text) => ({ values: { [key]: text.repeat(4_000) } })],
  ]
  for (const asker of [askers.owner, askers.server, askers.bootstrap, askers.browser]) {
    for (const [label, body] of bodies) {
      const json = { schemaId, environmentId, ...body(secret(label)) }
      await call(asker, path, { json })
    }
    const type = { 'content-type': 'application/json' }
    const raw = (label: string, wrap: (text: string) => string | Buffer) =>
      call(asker, path, { bytes: Buffer.from(wrap(secret(label))), headers: type })
    await raw('in broken JSON', (text) => `{"values":{"${key}":"${text}"`)
    await raw('twice', (text) => `{"values":{"${key}":"${text}","${key}":"${text}"}}`)
    await raw('after a NUL', (text) => `{"values":{"${key}":"\\u0000${text}"}}`)
    await raw('in bad UTF-8', (text) =>
      Buffer.from(`{"values":{"${key}":"${text}\u00ff"}}`, 'latin1'),
    )
    await call(asker, path, {
      bytes: Buffer.from(secret('as text')),
      headers: { 'content-type': 'text/plain' },
    })
  }
  const guess = canaries.make('credential', 'a guessed password')
  await call(nobody, 'POST /sessions', { json: { email: userEmail, password: guess } })
  for (const token of ['sbx_m2m_', 'sbx_pat_', 'Basic ', '']) {
    const wrong = canaries.make('credential', `a wrong token after "${token}"`)
    await call({ audience: 'anonymous', headers: bearer(token + wrong) }, `GET /me`)
    await call({ audience: 'anonymous', headers: bearer(token + wrong) }, `GET /snapshots/a/b`)
  }
  const inUrl = canaries.make('credential', 'a token in the URL')
  await call(nobody, `GET /snapshots/${schemaId}/${environmentId}?apiKey=sbx_m2m_${inUrl}`)
  const cookie = { cookie: `__Host-s=${canaries.make('credential', 'a wrong session')}` }
  await call({ audience: 'anonymous', headers: cookie }, 'GET /me')
}

/** Everything that can be read without a credential, and all that a browser key gets, at both addresses. */
export async function lookAround(walk: Walk, place: WalkTarget): Promise<void> {
  const { recorder, api, delivery, proof } = walk
  const pages = [
    '/',
    '/setup',
    '/docs',
    '/docs/problems',
    '/openapi.json',
    '/metrics',
    '/healthz',
    '/readyz',
    '/nowhere',
  ]
  const assets = ['page.css', 'page.js', 'setup.js', 'home.js', 'mark.svg', 'none.js']
  for (const client of [api, delivery]) {
    for (const path of [...pages, ...assets.map((name) => `/assets/${name}`)]) {
      await recorder.send(client, 'anonymous', { method: 'GET', path })
    }
    for (const ask of browserRequests(place)) await recorder.send(client, 'browser', ask)
  }
  const { apiUrl, configUrl } = proof.current()
  for (const url of [apiUrl, configUrl]) {
    for (const { id } of place.environments) {
      const path = `/snapshots/${place.schemaId}/${id}/stream`
      const stream = await openStream(Number(new URL(url).port), path, bearer(place.browserKey))
      await stream.until(/event: config/)
      stream.close()
      const bytes = Buffer.from(JSON.stringify(stream.headers) + stream.text())
      recorder.keep({ audience: 'browser', what: `stream ${path}`, shows: 'nothing', bytes })
    }
  }
}

/** Kills the database while secrets are written, so that what breaks had them in its hands. */
export async function writeThroughAFault(walk: Walk, place: WalkTarget): Promise<void> {
  const { canaries, call, proof } = walk
  const { orgId, schemaId, environments, secretKeys, askers } = place
  const [key = ''] = secretKeys
  const write = (label: string) =>
    call(askers.server, `PUT /organizations/${orgId}/config-values`, {
      json: {
        schemaId,
        environmentId: environments[0]?.id,
        values: { [key]: canaries.make('value', label) },
      },
      shows: 'values',
    })
  const writes = Array.from({ length: 4 }, (_, i) => write(`while the database dies ${i}`))
  await proof.killDatabase()
  await Promise.all(writes)
  await Promise.all(Array.from({ length: 4 }, (_, i) => write(`without a database ${i}`)))
  await until(async () => (await write('after the fault')).status === 200, 'the database')
}
