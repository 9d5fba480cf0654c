import { randomBytes } from 'node:crypto'
import { integrationKinds } from '@signalbox/contract/rest'
import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generateRootKey } from '../../crypto/root-key.ts'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { providers } from '../../providers/registry.ts'
import { readSettings } from '../../settings.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { authorizeIntegration } from '../connect/authorize-integration.ts'
import { createConnectors } from '../connect/connectors.ts'
import { finishAuthorization, type FinishDeps } from '../connect/finish-authorization.ts'
import { callbackUrl } from '../integration-deps.ts'
import { openMemoryGrantLog } from '../testing/memory-grant-log.ts'
import { createGrantReader } from '../testing/read-grant.ts'
import {
  rotatingNames as names,
  rotatingProviders,
  type RotatingName,
} from '../testing/rotating-providers.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { createIntegrationHealth } from '../health/health.ts'
import { createAccessGrants, type AccessGrants } from './access-grants.ts'
import { openConnection } from './open-connection.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const orgId = 'org_1'
const publicUrl = () => 'http://127.0.0.1:4400'
const request = { requestId: 'req_1', ip: '192.0.2.1', userAgent: undefined }
const author = { type: 'user', id: 'usr_1', name: 'Ada' } as const

let test: TestStore
let sandbox: Sandbox
let egress: Egress
let deps: FinishDeps
let nodes: readonly [AccessGrants, AccessGrants]
let reauths: string[]
/** Stands still between two steps: the pause after a failed renewal is a second, and fifty callers may take longer. */
let time = new Date()
/** Counts the renewals that jobs are to repeat. */
let repeats: number

beforeAll(async () => {
  ;[test, sandbox] = await Promise.all([openTestStore(), startSandbox()])
  egress = createEgress({ allow: ['127.0.0.1'] })
  const rootKey = generateRootKey()
  await verifyRootKeys(test, [rootKey])
  const now = () => time
  const keys = createOrganizationKeys({ store: test.store, rootKeys: () => [rootKey], now })
  await test.asOwner(`insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada');
    insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme');
    insert into nodes (id) values ('0'), ('1')`)
  await test.store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  const { addresses, applications } = readProviders()
  const connectorOf = createConnectors((name) => ({
    addresses: addresses[name] ?? {},
    application: () => applications[name],
    egress,
    now,
  }))
  deps = {
    store: test.store,
    keys,
    connectorOf,
    stateKey: randomBytes(32),
    publicUrl,
    emit: async () => {},
    now,
    holdAdmin: async () => undefined,
  }
  const openNode = (nodeId: string) =>
    createAccessGrants({
      store: test.store,
      keys,
      connectorOf,
      grantLog: openMemoryGrantLog(),
      nodeId,
      requireReauth: async (_integration, { code }) => void reauths.push(code),
      enqueueRenewal: async () => void (repeats += 1),
      now,
    })
  nodes = [openNode('0'), openNode('1')]
})
beforeEach(async () => {
  sandbox.reset()
  time = sandbox.clock.now()
  sandbox.slack.rotation = true
  reauths = []
  repeats = 0
  await test.asOwner('delete from integrations')
})
afterAll(async () => {
  await Promise.all([sandbox.close(), egress.close()])
  await test.close()
})

/** Registers the server at the pretended providers, and reads the settings that reach them. */
function readProviders() {
  for (const name of names) {
    Object.assign(sandbox[name].app, { redirectUris: [callbackUrl({ publicUrl }, kindOf(name))] })
  }
  return readSettings(sandbox.settingsOf(names)).providers
}

const kindOf = (provider: RotatingName) => rotatingProviders[provider].kind

/** Connects as a member does, and lets the access token end. */
async function connect(provider: RotatingName): Promise<void> {
  const kind = kindOf(provider)
  const caller = {
    orgId,
    organizationName: 'Acme',
    scope: { orgId, userId: 'usr_1' },
    author,
    request,
  }
  const begun = { kind, provider, userId: 'usr_1', returnTo: undefined }
  const { url, cookie } = await authorizeIntegration(deps, caller, begun)
  const back = await visit(url, 'allow', callbackUrl({ publicUrl }, kind))
  const { outcome } = await finishAuthorization(deps, {
    kind,
    query: Object.fromEntries(back),
    cookie,
    member: { userId: 'usr_1', sessionId: 'session_1', author },
    request,
  })
  expect(outcome).toBe('connected')
  const [account] = await test.asOwner('select state from integrations')
  if (account?.['state'] === 'pending') await chooseSite()
  const [row] = await test.asOwner<{ ends: Date }>(
    'select access_expires_at as ends from integration_credentials',
  )
  if (row === undefined) throw new Error('Nothing was granted')
  advance(row.ends.getTime() - time.getTime() + 1)
}

const chooseSite = () =>
  test.asOwner(`update integrations set state = 'connected', account_id = 'site',
    account = '{"id":"site","name":"acme","url":null}'`)

function advance(ms: number): void {
  sandbox.clock.advance(ms)
  time = sandbox.clock.now()
}

/** Asks for the grant at one of two nodes. Returns its generation, or the code of the problem. */
const ask = (provider: RotatingName, node = 0): Promise<string> =>
  (nodes[node % 2] ?? nodes[0]).get(orgId, kindOf(provider)).then(
    ({ generation }) => `generation ${generation}`,
    (error: unknown) => String(Reflect.get(Object(error), 'code')),
  )

const refreshes = () =>
  sandbox.log
    .list()
    .filter(({ body }) => /grant_type"?[=:]"?refresh_token/.test(decodeURIComponent(body))).length

const fifty = (provider: RotatingName) =>
  Promise.all(Array.from({ length: 50 }, (_, index) => ask(provider, index)))

/** The provider renews, and its answer is lost. */
const loseAnswer = (provider: RotatingName) =>
  sandbox.faults.add({ provider, request: 'POST ', fault: { kind: 'cut' } })

it('are all providers that have a refresh', () => {
  const refreshing = integrationKinds.flatMap((kind) =>
    providers
      .filter((provider) => provider.kind === kind)
      .filter(({ name }) => deps.connectorOf(kind, name)?.refresh !== undefined),
  )
  expect(refreshing.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

describe.each(names)('an access to %s', (provider) => {
  const { replayMs, rejections } = rotatingProviders[provider]

  it('is renewed by one call for fifty callers on two nodes', async () => {
    await connect(provider)
    expect(new Set(await fifty(provider))).toEqual(new Set(['generation 2']))
    expect(refreshes()).toBe(1)
  })

  it('is asked for by one call of fifty callers when the answer is lost', async () => {
    await connect(provider)
    loseAnswer(provider)
    expect(new Set(await fifty(provider))).toEqual(new Set(['provider_error']))
    expect(refreshes()).toBe(1)
    expect(reauths).toEqual([])
  })

  it('ends after a lost answer as the provider lets it', async () => {
    await connect(provider)
    loseAnswer(provider)
    expect(await ask(provider)).toBe('provider_error')
    advance(1_000)
    const outcomes: string[] = []
    for (let rejection = 0; rejection < rejections; rejection += 1) {
      outcomes.push([...new Set(await fifty(provider))].join())
      expect(refreshes()).toBe(rejection + 2)
      advance(10 * minuteMs)
    }
    const isReplayed = replayMs > 0
    const last = isReplayed ? [...new Set(await fifty(provider))].join() : await ask(provider)
    expect(refreshes()).toBe(rejections + 2)
    expect([...outcomes, last]).toEqual([
      ...Array<string>(rejections).fill('provider_error'),
      isReplayed ? 'generation 2' : 'reauth_required',
    ])
    expect(reauths).toHaveLength(isReplayed ? 0 : 1)
  })

  it('is repeated by jobs as long as the provider takes the same token again, and by callers after that', async () => {
    await connect(provider)
    for (const pauseMs of [0, Math.max(0, replayMs - minuteMs), 2 * minuteMs]) {
      advance(pauseMs)
      loseAnswer(provider)
      expect(await ask(provider)).toBe('provider_error')
    }
    expect(repeats).toBe(replayMs > 0 ? 2 : 0)
    const loss = deps.connectorOf(kindOf(provider), provider)?.refreshLoss
    expect(loss?.invalidGrantIsFinal).toBe(rejections === 0)
  })

  it('ends when nobody repeats it in time', async () => {
    await connect(provider)
    loseAnswer(provider)
    expect(await ask(provider)).toBe('provider_error')
    advance(replayMs + dayMs)
    const tried: string[] = []
    for (let rejection = 0; rejection <= rejections; rejection += 1) {
      tried.push(await ask(provider))
      advance(10 * minuteMs)
    }
    expect(tried.at(-1)).toBe('reauth_required')
  })
})

describe('an access to a Forgejo or Gitea that keeps used refresh tokens', () => {
  beforeEach(() => {
    sandbox.forgejo.settings.invalidatesRefreshTokens = false
  })

  it.each([
    ['a second', 1_000],
    ['days', 20 * dayMs],
  ])('goes on %s after a lost answer, and asks nobody to connect again', async (_when, ms) => {
    await connect('forgejo')
    loseAnswer('forgejo')
    expect(new Set(await fifty('forgejo'))).toEqual(new Set(['provider_error']))
    advance(ms)
    expect(new Set(await fifty('forgejo'))).toEqual(new Set(['generation 2']))
    expect(refreshes()).toBe(2)
    expect(reauths).toEqual([])
  })

  it('control: ends with the same loss where a used token is dead', async () => {
    sandbox.forgejo.settings.invalidatesRefreshTokens = true
    await connect('forgejo')
    loseAnswer('forgejo')
    expect(await ask('forgejo')).toBe('provider_error')
    advance(1_000)
    expect(await ask('forgejo')).toBe('reauth_required')
    expect(reauths).toEqual(['unauthorized_client'])
  })
})

describe.each(names)('a token of %s that is refused before its end', (provider) => {
  /** Calls with the token of now, which is refused the first times. Returns what was sent, and the outcome. */
  async function call(refusals: number) {
    await connect(provider)
    expect(await ask(provider)).toBe('generation 2')
    const { connection } = await openConnection(
      {
        ...deps,
        grants: nodes[0],
        contextOf: () => ({ addresses: {}, application: () => undefined, egress, now: () => time }),
        health: createIntegrationHealth({ store: test.store, now: () => time, onError: () => {} }),
        requireReauth: async (_integration, { code }) => void reauths.push(code),
      },
      orgId,
      kindOf(provider),
    )
    const sent: string[] = []
    const outcome = await connection
      .withAccessToken((token) => {
        sent.push(token)
        if (sent.length > refusals) return Promise.resolve('answered')
        const of = { provider, failure: 'unauthorized', code: 'http_401' } as const
        return Promise.reject(new ProviderError(of))
      })
      .catch((error: unknown) =>
        String(Reflect.get(Object(error), 'failure') ?? Reflect.get(Object(error), 'code')),
      )
    return { outcome, tokens: new Set(sent).size }
  }

  it('is renewed and sent once more, and the connection stays', async () => {
    expect(await call(1)).toEqual({ outcome: 'answered', tokens: 2 })
    expect([refreshes(), reauths]).toEqual([2, []])
  })

  it('ends the connection where the renewed one is refused too', async () => {
    expect(await call(9)).toEqual({ outcome: 'unauthorized', tokens: 2 })
    expect([refreshes(), reauths]).toEqual([2, ['http_401']])
  })

  it('stays where the provider cannot be asked for another one', async () => {
    const request = 'POST '
    const away = { kind: 'answer', status: 503 } as const
    await connect(provider)
    await ask(provider)
    sandbox.faults.add({ provider, request, fault: away })
    await expect(nodes[0].get(orgId, kindOf(provider), 2)).rejects.toMatchObject({
      code: 'provider_error',
    })
    expect(reauths).toEqual([])
  })
})

it('control: two calls at once end the access where the provider has no leeway', async () => {
  await connect('gitlab')
  const refresh = deps.connectorOf('codehost', 'gitlab')?.refresh
  const held = await createGrantReader(deps)(orgId, 'codehost')
  const token = held?.refreshToken ?? ''
  const outcomes = await Promise.allSettled([refresh?.(token), refresh?.(token)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
