import { integrationKinds } from '@signalbox/contract/rest'
import type { Sandbox } from '@signalbox/sandbox'
import {
  openOrganization,
  type ConnectedOrganization,
} from '../../../packages/server/src/start/testing/connect-organization.ts'
import { openShop } from '../../../packages/server/src/start/testing/play-push.ts'
import type { Canaries } from './canaries.ts'
import { until } from '../proof-service.ts'
import type { Walk, WalkTarget } from './secret-walk.ts'

/** The walk of an organization that is connected to pretended providers. */
interface ProviderWalk {
  readonly walk: Walk
  readonly sandbox: Sandbox
  readonly organization: ConnectedOrganization
  /** Asks as whoever may see most, below the organization where the path begins with `/~`. Returns the text of the answer. */
  readonly ask: (request: string, json?: object) => Promise<string>
}

/** Connects providers, works with them, has them fail, and reads all that can be read of it. Their secrets become canaries. */
export async function walkProviders(
  walk: Walk,
  { orgId, askers }: WalkTarget,
  sandbox: Sandbox,
): Promise<ConnectedOrganization> {
  const { apiUrl } = walk.proof.current()
  const session = askers.owner.headers['cookie'] ?? ''
  const organization = openOrganization({ apiUrl, orgId, session })
  const ask: ProviderWalk['ask'] = async (request, json) => {
    const at = request.replace(' /~', ` /organizations/${orgId}`)
    const answer = await walk.call(askers.bootstrap, at, { json })
    return answer.bytes.toString()
  }
  const world = { walk, sandbox, organization, ask }
  await connectInSight(world)
  await work(world)
  await failWithSecrets(world)
  await registerApps(world)
  addProviderSecrets(walk.canaries, sandbox)
  await readEverything(world)
  return organization
}

/** Members of bodies that prove something. */
const secretMembers = [
  'code',
  'code_verifier',
  'refresh_token',
  'access_token',
  'client_secret',
  'client_assertion',
  'token',
]
/** Shorter ones would be seen by chance. */
const lengthMin = 12

type LoggedRequest = ReturnType<Sandbox['log']['list']>[number]

/** Makes a canary of everything secret that the service has sent to the providers so far, and of what it was set up with. */
export function addProviderSecrets(
  canaries: Canaries,
  { log, github, jira, slack }: Sandbox,
): void {
  const known = new Set(canaries.all.map(({ text }) => text))
  const add = (label: string, text: string) => {
    if (text.length < lengthMin || known.has(text)) return
    known.add(text)
    canaries.add({ kind: 'credential', label, text })
  }
  add('private key of GitHub', github.app.privateKey.split('\n')[5] ?? '')
  add('client secret of GitHub', github.app.clientSecret)
  add('webhook secret of GitHub', github.app.webhookSecret ?? '')
  add('client secret of Jira', jira.app.clientSecret)
  add('client secret of Slack', slack.app.clientSecret)
  add('signing secret of Slack', slack.app.signingSecret)
  for (const request of log.list()) {
    for (const [name, text] of secretsOf(request)) add(`${name} of ${request.provider}`, text)
  }
}

function secretsOf({ headers, body }: LoggedRequest): (readonly [name: string, text: string])[] {
  const [scheme = '', proof = ''] = (headers['authorization'] ?? '').split(' ')
  const shown = /^basic$/i.test(scheme)
    ? (Buffer.from(proof, 'base64').toString().split(':')[1] ?? '')
    : // Of a signed token, what makes it one.
      (proof.split('.')[2] ?? proof)
  const members = membersOf(body)
  return [
    ['authorization', shown],
    ...secretMembers.map((name) => [name, members.get(name) ?? ''] as const),
  ]
}

function membersOf(body: string): ReadonlyMap<string, string> {
  if (!body.startsWith('{')) return new Map(new URLSearchParams(body))
  const entries = Object.entries(Object(JSON.parse(body)))
  return new Map(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/** Connects all three; what the browser carries becomes canaries. */
async function connectInSight({ walk, organization }: ProviderWalk): Promise<void> {
  for (const kind of integrationKinds) {
    const back = await organization.goAndAllow(kind)
    const add = (label: string, text: string) =>
      walk.canaries.add({ kind: 'credential', label: `${label} of ${kind}`, text })
    add('cookie', back.cookies['__Host-connect'] ?? '')
    add('signature of the state', back.query.get('state')?.split('.').at(-1) ?? '')
    const code = back.query.get('code')
    if (code !== null) add('code', code)
    const comeBack = async (name: string, returned: typeof back) => {
      const answer = await organization.comeBack(returned)
      const text = JSON.stringify([...answer.headers]) + (await answer.text())
      const what = `${name} with ${kind} -> ${answer.status}`
      walk.recorder.keep({ audience: 'person', what, shows: 'nothing', bytes: Buffer.from(text) })
    }
    const forged = new URLSearchParams(back.query)
    forged.set('state', `${forged.get('state')}x`)
    await comeBack('forged', { ...back, query: forged })
    await comeBack('back', back)
    await comeBack('twice', back)
  }
}

/** A push, its deployment, its test, its message; then all of it with tokens that were renewed. */
async function work({ walk, sandbox, ask }: ProviderWalk): Promise<void> {
  const shop = openShop(sandbox)
  const defaultChannelId = sandbox.slack.channelId('deployments')
  await ask('PATCH /~/integrations/chat', { defaultChannelId })
  const deploy = async (count: number) => {
    shop.push('ABC-1 Fix the shop')
    shop.deploy('production', ['in_progress', 'success'])
    const hasCome = async () => JSON.parse(await ask('GET /~/deployments')).items.length >= count
    await until(hasCome, `deployment ${count}`)
    await ask('POST /~/integrations/codehost/sync')
    await ask('GET /~/integrations/codehost/workflows')
    await ask('GET /~/integrations/tracker/projects')
    await ask('POST /~/integrations/tracker/enrich-deployment', { commitMessages: ['ABC-1 Fix'] })
    await ask('GET /~/integrations/chat/channels')
    await ask('POST /~/integrations/chat/test')
  }
  await deploy(1)
  sandbox.github.tokens.expireAll()
  await walk.proof.asOwner('update integration_credentials set access_expires_at = now()')
  await deploy(2)
}

/** Providers that answer with what they were sent, as some do in trouble. */
async function failWithSecrets({ walk, sandbox, ask }: ProviderWalk): Promise<void> {
  addProviderSecrets(walk.canaries, sandbox)
  const echo = walk.canaries.all.map(({ text }) => text).join(' ')
  const body = JSON.stringify({
    ok: false,
    error: 'internal_error',
    message: echo,
    description: echo,
  })
  const headers = { 'content-type': 'application/json' }
  for (const provider of ['github', 'jira', 'slack'] as const) {
    for (const status of [400, 403, 500]) {
      sandbox.faults.add({ provider, fault: { kind: 'answer', status, headers, body } })
      await ask('POST /~/integrations/codehost/workflows/e2e.yml/dispatch', { ref: 'main' })
      await ask('GET /~/integrations/tracker/projects')
      await ask('POST /~/integrations/chat/test')
    }
  }
}

/** Applications whose secrets come over the API, right and wrong. */
async function registerApps({ walk, sandbox, ask }: ProviderWalk): Promise<void> {
  const secret = (label: string) => walk.canaries.make('credential', label)
  const put = (body: object) => ask('PUT /server/provider-apps/jira', { provider: 'jira', ...body })
  await put({ clientId: 'id', clientSecret: secret('stored client secret') })
  await put({ clientId: 'id', clientSecret: secret('stored client secret, changed') })
  await put({ clientId: 'id', clientSecret: secret('too long').repeat(50) })
  await put({ clientId: 'id', secret: secret('of an unknown field') })
  await put({ clientId: [secret('in the place of an id')] })
  const { id, slug, clientId } = sandbox.github.app
  await ask('PUT /server/provider-apps/github', {
    provider: 'github',
    appId: String(id),
    slug,
    clientId,
    clientSecret: secret('client secret beside a key that is none'),
    privateKey: `-----BEGIN PRIVATE KEY-----\n${secret('key that is none')}\n-----END PRIVATE KEY-----`,
    webhookSecret: secret('webhook secret beside a key that is none'),
  })
  await walk.api.send({
    method: 'POST',
    path: '/webhooks/codehost',
    json: {},
    headers: { 'x-hub-signature-256': `sha256=${secret('signature')}` },
  })
}

async function readEverything({ ask }: ProviderWalk): Promise<void> {
  const list = async (path: string) =>
    JSON.parse(await ask(`GET /~/${path}`)).items as { id: string }[]
  for (const { id } of await list('deployments')) await ask(`GET /~/deployments/${id}`)
  for (const { id } of await list('webhook-deliveries'))
    await ask(`GET /~/webhook-deliveries/${id}`)
  for (const path of ['test-runs', 'notification-routes', 'audit-events?limit=100'])
    await list(path)
  for (const kind of integrationKinds) await ask(`GET /~/integrations/${kind}`)
  for (const path of ['/~/integrations', '/server/provider-apps', '/metrics'])
    await ask(`GET ${path}`)
}
