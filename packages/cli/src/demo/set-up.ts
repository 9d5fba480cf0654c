import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultProof } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'
import { openBrowser, type Browser } from './browser.ts'
import {
  furnishConfiguration,
  shopSchema,
  type DemoConfiguration,
} from './furnish-configuration.ts'
import {
  allow,
  propose,
  registerAt,
  reportReleases,
  setPipelines,
  type DemoCommit,
  type DemoProvider,
  type SandboxState,
} from './sandbox-control.ts'

/** Describes the owner of the demo. */
export interface DemoAccount {
  readonly email: string
  readonly password: string
  readonly orgId: string
  /** Names the organization in addresses. Example: `acme`. */
  readonly slug: string
  /** Holds a server key of the organization. */
  readonly token: string
  /** Holds a browser key of the organization. */
  readonly browserKey: string
}

/** Describes what the set-up has made. */
export interface Furnished {
  readonly account: DemoAccount
  readonly configuration: DemoConfiguration
}

/** Describes the two programs to connect. */
export interface SetUp {
  readonly service: string
  readonly setupUrl: string
  /** Holds the address of the delivery. */
  readonly configUrl: string
  readonly sandbox: Pick<SandboxState, 'origin'>
  /** Lists the providers to connect, one of each kind. */
  readonly providers: readonly DemoProvider[]
  /** Called before each step. Example: `Connecting Jira`. */
  readonly onStep: (text: string) => void
}

/** Sets the service up as a person would in a browser. The service does not know that it is a demo. */
export async function setUp(options: SetUp): Promise<Furnished> {
  const { service, setupUrl, onStep } = options
  const browser = openBrowser(service)
  onStep('Setting up the organization Acme')
  const account = await createAccount(browser, setupUrl)
  const { orgId } = account
  const at = (path: string) => `/organizations/${orgId}${path}`
  const idOf = await createEnvironments(browser, at('/environments'))
  onStep('Adding the configuration of a shop')
  const configuration = await furnishConfiguration({
    call: (method, path, body) => browser.call(method, at(path), body),
    idOf,
  })
  await connectAll(options, { browser, account, idOf })
  return { account, configuration }
}

/** Connects a service that was set up earlier, with the account of then: the sandbox loses its data when it stops. */
export async function connectAgain(
  options: Omit<SetUp, 'setupUrl'>,
  account: DemoAccount,
): Promise<void> {
  const browser = openBrowser(options.service)
  const { email, password, orgId } = account
  await browser.call('POST', '/sessions', { email, password })
  for (const { kind } of options.providers)
    await browser.call('DELETE', `/organizations/${orgId}/integrations/${kind}`)
  const idOf = await createEnvironments(browser, `/organizations/${orgId}/environments`)
  await connectAll(options, { browser, account, idOf })
}

async function connectAll(
  { service, configUrl, sandbox, providers, onStep }: Omit<SetUp, 'setupUrl'>,
  { browser, account, idOf }: { browser: Browser; account: DemoAccount; idOf: IdOf },
): Promise<void> {
  const { orgId, token } = account
  const at = (path: string) => `/organizations/${orgId}${path}`
  await registerAt(sandbox.origin, service, providers)
  for (const provider of providers) {
    onStep(`Connecting ${provider.title}`)
    await connect({ browser, at, service, sandbox: sandbox.origin, providers }, provider)
  }
  onStep('Choosing the channel, the projects and the tests')
  await choose({ browser, at, providers, idOf })
  const flag = `/config/values/${breakingFlag}?schema=shop&environment=production`
  await setPipelines(sandbox.origin, {
    url: service,
    organization: orgId,
    token,
    breakingFlag: `${configUrl}${at(flag)}`,
  })
  await reportReleases(sandbox.origin)
  await checkCommits({ service, sandbox, browser, account, at, idOf })
  await watchProduction({ browser, at, providers, idOf })
}

interface CheckOptions {
  readonly service: string
  readonly sandbox: SetUp['sandbox']
  readonly browser: Browser
  readonly account: DemoAccount
  readonly at: (path: string) => string
  readonly idOf: IdOf
}

/** Uploads the definition of the commit that runs in production, and of a pull request, as their pipelines do. */
async function checkCommits(options: CheckOptions): Promise<void> {
  const { sandbox, browser, at, idOf } = options
  const query = `environmentId=${idOf('production')}&limit=1`
  const { items } = await browser.call('GET', at(`/deployments?${query}`))
  const [live] = itemsOf(items)
  if (live !== undefined) {
    const [repository, sha] = [textOf(live, 'repository'), textOf(live, 'sha')]
    await uploadDefinition(options, { repository, sha, ref: 'main' })
  }
  const proposal = { branch: 'more-products', title: 'Show up to ten products on a page' }
  await uploadDefinition(options, await propose(sandbox.origin, proposal))
}

async function uploadDefinition(
  { service, account, at }: CheckOptions,
  commit: DemoCommit,
): Promise<void> {
  const response = await fetch(new URL(at('/commit-checks'), service), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...commit, schema: 'shop', definition: shopSchema }),
  })
  await response.body?.cancel()
  if (response.ok) return
  throw new CliError(
    'failure',
    'demo_refused',
    `The service refused the definition of ${commit.ref} (${response.status}).`,
  )
}

/** Lets the tests of the shop prove each change of production. */
async function watchProduction({ browser, at, providers, idOf }: ChoiceOptions): Promise<void> {
  const codehost = providers.find(({ kind }) => kind === 'codehost')
  const spec = { kind: 'tests', repository: 'acme/shop', workflow: codehost?.testWorkflow }
  const { items } = await browser.call('GET', at('/signals'))
  const signal =
    itemsOf(items).find(({ name }) => name === testsSignal) ??
    (await browser.call('POST', at('/signals'), { name: testsSignal, spec }))
  await browser.call('PATCH', at(`/environments/${idOf('production')}`), {
    protection: { prove: { ...defaultProof, minutes: 5, signals: [textOf(signal, 'id')] } },
  })
}

interface Connecting extends Pick<SetUp, 'providers'> {
  readonly browser: Browser
  readonly at: (path: string) => string
  readonly service: string
  readonly sandbox: string
}

async function connect(
  { browser, at, service, sandbox, providers }: Connecting,
  { name, kind, form, sharesWith }: DemoProvider,
): Promise<void> {
  const isShared = providers.some((provider) => provider.name === sharesWith)
  if (form !== null || isShared) {
    const body = { provider: name, values: form ?? {} }
    await browser.call('POST', at(`/integrations/${kind}/connection`), body)
    return
  }
  const path = `/integrations/${kind}/oauth/authorize?provider=${name}`
  const { url } = await browser.call('GET', at(path))
  // Only code hosts share their applications, and the browser returns where these are registered.
  const returnKind = sharesWith === null ? kind : 'codehost'
  const backTo = `${service}/integrations/${returnKind}/oauth/callback`
  await browser.comeBack(await allow(sandbox, String(url), backTo))
}

async function createAccount(browser: Browser, setupUrl: string): Promise<DemoAccount> {
  const person = { email: 'ada@example.com', password: randomBytes(12).toString('base64url') }
  const token = new URLSearchParams(new URL(setupUrl).hash.slice(1)).get('token')
  const body = { ...person, token, name: 'Ada', organizationName: 'Acme', withServerKey: true }
  const { organization, keys } = await browser.call('POST', '/setup', body)
  const keyOf = (kind: string) =>
    textOf(
      itemsOf(keys).find((key) => key['kind'] === kind),
      'secret',
    )
  const [orgId, slug] = [textOf(organization, 'id'), textOf(organization, 'slug')]
  return { ...person, orgId, slug, token: keyOf('m2m'), browserKey: keyOf('b2m') }
}

/** Names the flag that breaks the shop while it is on in production. */
const breakingFlag = 'newCheckout'
const testsSignal = 'shop-tests'

type IdOf = (environment: string) => string

/** Creates the environments of the shop that are missing. Returns the ids of all. */
async function createEnvironments(browser: Browser, path: string): Promise<IdOf> {
  const { items } = await browser.call('GET', path)
  const ids = new Map(itemsOf(items).map((item) => [textOf(item, 'name'), textOf(item, 'id')]))
  for (const name of ['development', 'staging', 'production']) {
    if (ids.has(name)) continue
    const body = { name, production: name === 'production' }
    ids.set(name, textOf(await browser.call('POST', path, body), 'id'))
  }
  return (name) => ids.get(name) ?? ''
}

interface ChoiceOptions {
  readonly browser: Browser
  readonly at: (path: string) => string
  readonly providers: readonly DemoProvider[]
  readonly idOf: IdOf
}

async function choose({ browser, at, providers, idOf }: ChoiceOptions): Promise<void> {
  const ofKind = (kind: DemoProvider['kind']) => providers.find((one) => one.kind === kind)
  const defaultChannelId = ofKind('chat')?.channel?.id
  await browser.call('PATCH', at('/integrations/chat'), { defaultChannelId })
  const projectKeys = ofKind('tracker')?.projectKeys
  await browser.call('PATCH', at('/integrations/tracker'), { projectKeys })
  const workflowId = ofKind('codehost')?.testWorkflow
  await browser.call('PATCH', at('/integrations/codehost'), {
    environmentMap: ['staging', 'production'].map((name) => ({
      pattern: name,
      environmentId: idOf(name),
    })),
    testWorkflows: [{ workflowId, debounceSeconds: 1, environmentIds: [idOf('staging')] }],
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
