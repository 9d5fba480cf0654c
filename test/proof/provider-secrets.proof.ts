import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { integrationKinds } from '@signalbox/contract/rest'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  registerAt,
  sandboxVariables,
  setUpOrganization,
  type ConnectedOrganization,
} from '../../packages/server/src/start/testing/connect-organization.ts'
import { openShop } from '../../packages/server/src/start/testing/play-push.ts'
import { createCanaries, createSweep, describeSightings } from '../testing/canaries.ts'
import { bearer, createClient, type Client } from '../testing/http.ts'
import {
  dumpDatabase,
  readDirectory,
  runCommand,
  type SearchedBytes,
} from '../testing/searched-bytes.ts'
import { openProofService, until, type ProofService } from '../testing/proof-service.ts'
import { addProviderSecrets } from '../testing/provider-secrets.ts'
import { allBytes } from '../testing/recorder.ts'

const canaries = createCanaries()
const answers: SearchedBytes[] = []

let sandbox: Sandbox
let proof: ProofService
let api: Client
let organization: ConnectedOrganization

beforeAll(async () => {
  sandbox = await startSandbox()
  sandbox.slack.rotation = true
  const env = { ...sandboxVariables(sandbox), SIGNALBOX_LOG_LEVEL: 'debug' }
  proof = await openProofService({ env })
  const { apiUrl, setupUrl } = proof.current()
  await registerAt(sandbox, apiUrl)
  api = createClient(apiUrl)
  organization = await setUpOrganization(apiUrl, setupUrl)
  await connectInSight()
  await work()
  await failWithSecrets()
  await registerApps()
  addProviderSecrets(canaries, sandbox)
  await readEverything()
}, 120_000)

afterAll(async () => {
  api?.close()
  await proof?.close()
  await sandbox?.close()
})

/** Asks as whoever may see most, and keeps every byte of the answer. */
async function ask(request: string, json?: object): Promise<string> {
  const [method = '', path = ''] = request.split(' ')
  const at = path.replace(/^\/~/, `/organizations/${organization.orgId}`)
  const headers = bearer(proof.bootstrapToken)
  const answer = await api.send({ method, path: at, headers, ...(json && { json }) })
  answers.push({ name: `${request} -> ${answer.status}`, bytes: allBytes(answer) })
  return answer.bytes.toString()
}

/** Connects all three; what the browser carries becomes canaries. */
async function connectInSight(): Promise<void> {
  for (const kind of integrationKinds) {
    const back = await organization.goAndAllow(kind)
    const add = (label: string, text: string) =>
      canaries.add({ kind: 'credential', label: `${label} of ${kind}`, text })
    add('cookie', back.cookies['__Host-connect'] ?? '')
    add('signature of the state', back.query.get('state')?.split('.').at(-1) ?? '')
    const code = back.query.get('code')
    if (code !== null) add('code', code)
    const comeBack = async (name: string, what: typeof back) => {
      const answer = await organization.comeBack(what)
      const text = JSON.stringify([...answer.headers]) + (await answer.text())
      answers.push({ name: `${name} with ${kind} -> ${answer.status}`, bytes: Buffer.from(text) })
    }
    const forged = new URLSearchParams(back.query)
    forged.set('state', `${forged.get('state')}x`)
    await comeBack('forged', { ...back, query: forged })
    await comeBack('back', back)
    await comeBack('twice', back)
  }
}

/** A push, its deployment, its test, its message; then all of it with tokens that were renewed. */
async function work(): Promise<void> {
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
  await proof.asOwner('update integration_credentials set access_expires_at = now()')
  await deploy(2)
}

/** Providers that answer with what they were sent, as some do in trouble. */
async function failWithSecrets(): Promise<void> {
  addProviderSecrets(canaries, sandbox)
  const echo = canaries.all.map(({ text }) => text).join(' ')
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
async function registerApps(): Promise<void> {
  const secret = (label: string) => canaries.make('credential', label)
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
  await api.send({
    method: 'POST',
    path: '/webhooks/codehost',
    json: {},
    headers: { 'x-hub-signature-256': `sha256=${secret('signature')}` },
  })
}

async function readEverything(): Promise<void> {
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

const sweep = () => createSweep(canaries.of('credential'))
const seenIn = (places: readonly SearchedBytes[]): string[] => {
  const look = sweep()
  return places.flatMap(({ name, bytes }) => describeSightings(name, look(bytes)))
}
const log = (): SearchedBytes => ({ name: 'the log', bytes: Buffer.from(proof.current().output()) })

describe('what opens a provider (S1)', () => {
  it('is in no answer, header, page or metric', () => {
    const labels = canaries.all.map(({ label }) => label)
    console.log(`${labels.length} secrets, ${answers.length} answers`)
    // Every kind of secret was there to be seen, and was renewed.
    for (const label of [
      'refresh_token of jira',
      'refresh_token of slack',
      'authorization of github',
    ]) {
      expect(labels).toContain(label)
    }
    expect(labels.filter((label) => label === 'authorization of jira').length).toBeGreaterThan(1)
    expect(answers.filter(({ name }) => name.endsWith('-> 200')).length).toBeGreaterThan(20)
    expect(answers.filter(({ name }) => name.endsWith('-> 424')).length).toBeGreaterThan(3)
    expect(seenIn(answers)).toEqual([])
  })

  it('is neither in the log nor in what the commands print and export', async () => {
    const file = join(proof.dataDir, 'export.signalbox')
    const printed = [
      { name: 'export', bytes: await runCommand(proof, 'export', file) },
      { name: 'env', bytes: await runCommand(proof, 'env') },
      { name: 'env --json', bytes: await runCommand(proof, 'env', '--json') },
      { name: 'the export', bytes: gunzipSync(await readFile(file)) },
    ]
    expect(log().bytes.length).toBeGreaterThan(1_000)
    expect(seenIn([log(), ...printed])).toEqual([])
  })

  it('is nowhere in the database, its jobs and its audit log, nor on the disk', async () => {
    expect(seenIn(await dumpDatabase(proof))).toEqual([])
    await proof.asOwner('checkpoint')
    expect(seenIn(await readDirectory(proof.dataDir, ['root.key']))).toEqual([])
  })

  it('is in none of them after a disconnection', async () => {
    for (const kind of integrationKinds) await ask(`DELETE /~/integrations/${kind}`)
    addProviderSecrets(canaries, sandbox)
    expect(seenIn([...answers, log(), ...(await dumpDatabase(proof))])).toEqual([])
  })

  it('control: a token that is written into a row is seen there and in the answer that shows it', async () => {
    const token = canaries.all.find(({ label }) => label === 'authorization of slack')?.text
    const name = `note ${token}`
    await proof.asOwner('update repositories set full_name = $1', [name])
    const tables = seenIn(await dumpDatabase(proof)).map((line) => line.split(':')[0])
    expect(tables).toContain('table public.repositories')
    answers.splice(0)
    await ask('GET /~/deployments')
    expect(seenIn(answers).join()).toContain('authorization of slack as it is')
  })
})
