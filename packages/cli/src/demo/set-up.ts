import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from '../terminal/cli-error.ts'
import { openBrowser, type Browser } from './browser.ts'
import { allow, registerAt, setPipelines, type SandboxState } from './sandbox-control.ts'

/** Describes the owner of the demo. */
export interface DemoAccount {
  readonly email: string
  readonly password: string
  readonly orgId: string
  /** Holds a server key of the organization. */
  readonly token: string
}

/** Describes the two programs to connect. */
export interface SetUp {
  readonly service: string
  readonly setupUrl: string
  readonly sandbox: SandboxState
  /** Called before each step. Example: `Connecting Jira`. */
  readonly onStep: (text: string) => void
}

const kinds = [
  ['codehost', 'GitHub'],
  ['tracker', 'Jira'],
  ['chat', 'Slack'],
] as const

/** Sets the service up as a person would in a browser. The service does not know that it is a demo. */
export async function setUp({ service, setupUrl, sandbox, onStep }: SetUp): Promise<DemoAccount> {
  const browser = openBrowser(service)
  onStep('Setting up the organization Acme')
  const account = await createAccount(browser, setupUrl)
  const { orgId } = account
  const at = (path: string) => `/organizations/${orgId}${path}`
  await createEnvironments(browser, at('/environments'))
  await registerAt(sandbox.origin, service)
  for (const [kind, name] of kinds) {
    onStep(`Connecting ${name}`)
    const { url } = await browser.call('GET', at(`/integrations/${kind}/oauth/authorize`))
    const backTo = `${service}/integrations/${kind}/oauth/callback`
    await browser.comeBack(await allow(sandbox.origin, String(url), backTo))
  }
  onStep('Choosing the channel, the projects and the tests')
  await choose({ browser, at, sandbox })
  await setPipelines(sandbox.origin, { url: service, organization: orgId })
  return account
}

async function createAccount(browser: Browser, setupUrl: string): Promise<DemoAccount> {
  const person = { email: 'ada@example.com', password: randomBytes(12).toString('base64url') }
  const token = new URLSearchParams(new URL(setupUrl).hash.slice(1)).get('token')
  const body = { ...person, token, name: 'Ada', organizationName: 'Acme' }
  const { organization, keys } = await browser.call('POST', '/setup', body)
  const key = itemsOf(keys).find(({ kind }) => kind === 'm2m')
  return { ...person, orgId: textOf(organization, 'id'), token: textOf(key, 'secret') }
}

/** Creates the environments that the sandbox deploys to. */
async function createEnvironments(browser: Browser, path: string): Promise<void> {
  const { items } = await browser.call('GET', path)
  const names = new Set(itemsOf(items).map((item) => textOf(item, 'name')))
  for (const name of ['staging', 'production']) {
    if (!names.has(name)) {
      await browser.call('POST', path, { name, production: name === 'production' })
    }
  }
}

interface ChoiceOptions {
  readonly browser: Browser
  readonly at: (path: string) => string
  readonly sandbox: SandboxState
}

async function choose({ browser, at, sandbox }: ChoiceOptions): Promise<void> {
  const channel = sandbox.channels.find(({ name }) => name === 'deployments')
  await browser.call('PATCH', at('/integrations/chat'), { defaultChannelId: channel?.id })
  await browser.call('PATCH', at('/integrations/tracker'), { projectKeys: ['ABC', 'WEB2'] })
  const { items } = await browser.call('GET', at('/environments'))
  const idOf = (name: string) =>
    textOf(
      itemsOf(items).find((item) => item['name'] === name),
      'id',
    )
  await browser.call('PATCH', at('/integrations/codehost'), {
    environmentMap: ['staging', 'production'].map((name) => ({
      pattern: name,
      environmentId: idOf(name),
    })),
    testWorkflows: [
      { workflowId: 'e2e.yml', debounceSeconds: 1, environmentIds: [idOf('staging')] },
    ],
  })
  const { syncId } = await browser.call('POST', at('/integrations/codehost/sync'))
  await waitForSync(browser, at(`/integrations/codehost/sync/${String(syncId)}`))
}

const syncWithinMs = 30_000

/** Fetches the existing deployments, so that the list has entries and the repository is known. */
async function waitForSync(browser: Browser, path: string): Promise<void> {
  const until = Date.now() + syncWithinMs
  while (Date.now() < until) {
    const { state, detail } = await browser.call('GET', path)
    if (state === 'done') return
    if (state === 'failed') throw notSynced(String(detail))
    await sleep(250)
  }
  throw notSynced('It took too long.')
}

function notSynced(why: string): CliError {
  return new CliError('failure', 'demo_refused', `The repositories could not be read: ${why}`)
}

type Item = Readonly<Record<string, unknown>>

function itemsOf(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value.filter(isItem) : []
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown, name: string): string {
  const text = isItem(value) ? value[name] : undefined
  if (typeof text === 'string') return text
  throw new Error(`The service answered without ${name}`)
}
