import type { Role } from '@signalbox/contract'
import { mountAudit } from '../../audit/routes.ts'
import { newId } from '../../crypto/ids.ts'
import { deriveKey, generateRootKey, type RootKey } from '../../crypto/root-key.ts'
import { newToken } from '../../crypto/tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import { createRateLimiter } from '../../http/admission/rate-limit.ts'
import type { RateLimits } from '../../http/admission/rate-classes.ts'
import type { Router } from '../../http/router.ts'
import type { RouterDeps } from '../../http/serve-endpoint.ts'
import { createTestRouter } from '../../http/testing/test-router.ts'
import { rawQuery } from '../../store/raw-query.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { createServerKeys } from '../../vault/server-keys.ts'
import { createSigningKeys } from '../access-tokens/signing-keys.ts'
import { createAuthenticate, type Authenticate } from '../authenticate.ts'
import type { ConfigDirectory } from '../config-directory.ts'
import { createApiKeyFeed } from '../key-cache/api-key-feed.ts'
import { createApiKeyCache } from '../key-cache/api-key-cache.ts'
import { createPublishChange } from '../publish-change.ts'
import type { OidcProvider } from '../oidc/oidc-provider.ts'
import { resolveOrganization } from '../resolve-organization.ts'
import { mountIdentity } from '../routes.ts'
import { openSession } from '../sessions/open-session.ts'
import { sessionCookie } from '../sessions/session.ts'
import { isOperator } from '../setup/is-operator.ts'
import { prepareSetup } from '../setup/prepare-setup.ts'
import { createIssuerKeys } from '../api-keys/service-accounts/issuer-keys.ts'
import { createAssistantClients } from '../members/agent-tokens/oauth/read-client.ts'
import type { Egress } from '../../egress/create-egress.ts'
import type { ReadTxt } from '../members/email-domains/read-txt.ts'
import { countMade } from '../../read-models/identity/made-rows.ts'
import { createUseRecorder } from '../use-recorder.ts'
import { createTokenVerifier } from '../verify-token.ts'
import { toTestApp } from '../../http/testing/test-app.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

export interface CallOptions {
  /** The token to send. */
  readonly as?: string | undefined
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Call = (request: string, options?: CallOptions) => Promise<Answer>

/** One process of the service, as far as identity goes. */
export type IdentityNode = Awaited<ReturnType<typeof openNode>>

/** Lets each assistant read, as where nobody has decided. */
export const anyReads = { rule: 'read', hosts: [] as string[], ownTokens: true }
/** Requires nothing, as where nobody has decided. */
export const noPolicies = {
  secondFactorRequired: false,
  tokenDays: null as number | null,
  sessionIdleMinutes: null as number | null,
  assistants: anyReads,
}

export const bootstrapToken = 'bootstrap-token-of-thirty-two-characters'
export const password = 'correct horse battery staple'

const rootKey = generateRootKey()

/** Of `password`. A check costs what the hash says, and this one next to nothing. */
const passwordHash =
  'scrypt$10$8$1$AAAAAAAAAAAAAAAAAAAAAA$u5ZMvjK7XcTUD1inpyUcc3gqsS0uCWtVMsQ9-RZ8OWk'

/** Stands in for the configuration half: real rows, and no rules. */
const configs: ConfigDirectory = {
  async createFirstEnvironments(tx, orgId) {
    const environments = ['development', 'staging', 'production'].map((name) => ({
      id: newId('env', new Date()),
      name,
    }))
    for (const { id, name } of environments) {
      const sql = 'insert into environments (org_id, id, name, production) values ($1, $2, $3, $4)'
      await rawQuery(tx, sql, [orgId, id, name, name === 'production'])
    }
    return environments
  },
  async findEnvironmentIds(tx, orgId, ids) {
    const sql = 'select id from environments where org_id = $1 and id = any ($2::text[])'
    const rows = await rawQuery<{ id: string }>(tx, sql, [orgId, ids])
    return rows.map(({ id }) => id)
  },
  findSchemaIds: () => Promise.resolve([]),
}

const noEgress: Pick<Egress, 'request' | 'fetch' | 'requireSendable'> = {
  requireSendable: () => {},
  request: () => Promise.reject(new Error('There is no network')),
  fetch: () => Promise.reject(new Error('There is no network')),
}

export interface Clock {
  readonly now: () => Date
  readonly advance: (ms: number) => void
}

function createClock(): Clock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance(ms) {
      aheadMs += ms
    },
  }
}

interface NodeOptions {
  readonly rateLimits?: RateLimits
  /** In place of the clock that all nodes share: one that stands still, where it matters how long the machine takes. */
  readonly now?: () => Date
  /** In place of the real one, for controls. */
  readonly resolveOrganization?: RouterDeps['resolveOrganization']
  readonly isOperator?: RouterDeps['isOperator']
  readonly oidcProvider?: OidcProvider
  readonly organizationsPerPerson?: number
  readonly onlyOperatorsCreate?: boolean
  readonly deploymentsKeptMs?: number
  /** Reads the keys of issuers. Default: nothing can be reached. */
  readonly egress?: Pick<Egress, 'request' | 'fetch'>
  /** Reaches the providers of organizations. Default: nothing can be reached. */
  readonly memberEgress?: Pick<Egress, 'request' | 'fetch' | 'requireSendable'>
  /** Answers for DNS. Default: it does not answer. */
  readonly readTxt?: ReadTxt
  /** Mounts what else this process serves. */
  readonly mount?: (router: Router, deps: MountDeps) => void
}

/** Holds what `mount` needs to add routes of its own to the process. */
export interface MountDeps {
  readonly store: TestStore['store']
  readonly rootKeys: () => readonly RootKey[]
  readonly authenticate: Authenticate
  readonly isOperator: RouterDeps['isOperator']
  readonly now: () => Date
}

/** Returns what leads out of a process. Default: nothing. */
function waysOut({ egress, memberEgress = noEgress, readTxt }: NodeOptions) {
  return {
    memberEgress,
    egress: egress ?? memberEgress,
    readTxt: readTxt ?? (() => Promise.resolve(undefined)),
  }
}

async function openNode(test: TestStore, clock: Clock, options: NodeOptions = {}) {
  const { store } = test
  const ways = waysOut(options)
  const now = options.now ?? clock.now
  const rootKeys = () => [rootKey]
  const keyCache = createApiKeyCache()
  const feed = createApiKeyFeed({ store, keyCache, log: silentLog, now })
  await feed.refresh()
  // The feed does not run in these tests, so that a change is read when it is published.
  const settled = async () => (await feed.refresh(), true)
  const publish = createPublishChange({ store, feed: { settled }, log: silentLog })
  const limiter = createRateLimiter(options.rateLimits ?? 'off')
  const uses = createUseRecorder({ store, now, log: silentLog })
  const verifier = createTokenVerifier({ keyCache, now })
  const dataKeys = createOrganizationKeys({ store, rootKeys, now })
  const signingKeys = createSigningKeys({ store, rootKeys, publish })
  const authenticate = createAuthenticate({ store, verifier, uses, bootstrapToken, now })
  const mayOperate = options.isOperator ?? ((actor: UserActor) => isOperator({ store }, actor))
  const router = createTestRouter({
    authenticate,
    isOperator: mayOperate,
    resolveOrganization:
      options.resolveOrganization ??
      ((actor, ref) => resolveOrganization({ store, keyCache }, actor, ref)),
    clientAddress: { of: (_remote, forwardedFor) => forwardedFor ?? '127.0.0.1' },
    limiter,
    now,
  })
  const shared = { store, dataKeys, configs, publish, verifier, signingKeys, uses, limiter, now }
  mountIdentity(router, {
    ...shared,
    organizationsPerPerson: options.organizationsPerPerson ?? 1_000,
    onlyOperatorsCreate: options.onlyOperatorsCreate ?? false,
    serverKeys: createServerKeys({ rootKeys }),
    authenticate,
    configUrl: () => 'http://127.0.0.1:4401',
    deploymentsKeptMs: options.deploymentsKeptMs,
    publicUrl: () => 'http://127.0.0.1:4400',
    oidcProvider: options.oidcProvider,
    signInKey: deriveKey(rootKey, 'sign-in'),
    log: silentLog,
    livePosition: () => '100',
    keyCache,
    issuerKeys: createIssuerKeys({
      egress: options.egress ?? options.memberEgress ?? noEgress,
      now,
    }),
    memberEgress: ways.memberEgress,
    readTxt: ways.readTxt,
    countMade: (tx, orgId, userId) => countMade(tx, orgId, { userId, now: now() }),
    clients: createAssistantClients({
      egress: ways.egress,
      log: silentLog,
      now,
    }),
  })
  mountAudit(router, { store, now })
  options.mount?.(router, { store, rootKeys, authenticate, isOperator: mayOperate, now })
  const app = toTestApp(router.build())
  const call: Call = async (request, { as, body, raw, headers } = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ')
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await app.request(path, {
      method,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
    return { status: answer.status, headers: answer.headers, text, body: parsed }
  }
  const ok: Call = async (request, options) => {
    const answer = await call(request, options)
    if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${answer.text}`)
    return answer
  }
  return {
    keyCache,
    feed,
    uses,
    router,
    call,
    ok,
    prepareSetup: () => prepareSetup({ store }, 'http://127.0.0.1:4400'),
  }
}

/** Identity and audit of the service in process, on a real database. */
export async function openIdentityApp(options: NodeOptions = {}) {
  const test = await openTestStore()
  await verifyRootKeys(test, [rootKey])
  const clock = createClock()
  const node = await openNode(test, clock, options)
  return {
    ...node,
    test,
    clock,
    /** Another process on the same database. It learns of changes by looking, and only when its feed is asked to. */
    openNode: (more: NodeOptions = {}) => openNode(test, clock, more),
    /** Creates an organization as the bootstrap token does. Returns its id. */
    async addOrganization(name: string): Promise<string> {
      const { body } = await node.ok('POST /organizations', { as: bootstrapToken, body: { name } })
      return body.id
    },
    /** Adds a person with a role in organizations. Returns their personal access token, which manages. */
    async addPerson(name: string, roles: Readonly<Record<string, Role>> = {}) {
      const userId = newId('usr', new Date())
      const { token, handle, hash } = newToken('pat')
      await test.asOwner('insert into users (id, email, name) values ($1, $2, $3)', [
        userId,
        `${name}@example.com`,
        name,
      ])
      const tokenId = newId('key', new Date())
      await test.asOwner(
        `insert into personal_access_tokens (id, user_id, name, handle, hash, manages) values ($1, $2, 'test', $3, $4, true)`,
        [tokenId, userId, handle, hash],
      )
      for (const [orgId, role] of Object.entries(roles)) {
        await test.asOwner('insert into members (org_id, user_id, role) values ($1, $2, $3)', [
          orgId,
          userId,
          role,
        ])
      }
      return { userId, tokenId, token }
    },
    /** Opens a session as signing in does at this moment. Answers what the browser sends from then on. */
    async openBrowser(userId: string): Promise<Record<string, string>> {
      const request = { requestId: 'req', ip: '192.0.2.1', userAgent: undefined }
      const { token } = await test.store.transaction({ orgId: null, userId }, (tx) =>
        openSession(tx, { userId, request, now: clock.now() }),
      )
      return fromOwnPage(`${sessionCookie}=${token}`)
    },
    /** Gives a person the password of the tests. */
    async setPassword(userId: string): Promise<void> {
      await test.asOwner('update users set password_hash = $2 where id = $1', [
        userId,
        passwordHash,
      ])
    },
    /** Replaces the policies of an organization as the bootstrap token does. What is left out is required of nobody. */
    async setPolicies(orgId: string, policies: object): Promise<void> {
      const body = { ...noPolicies, ...policies }
      await node.ok(`PUT /organizations/${orgId}/policies`, { as: bootstrapToken, body })
    },
    /** Gives a person a second factor, as one has it who has shown a code. */
    async addSecondFactor(userId: string): Promise<void> {
      await test.asOwner(
        `insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now())`,
        [userId],
      )
    },
    /** Makes an API key as the bootstrap token does. */
    async addKey(orgId: string, body: object = {}): Promise<{ id: string; secret: string }> {
      const key = { name: 'a key', kind: 'm2m', ...body }
      const path = `POST /organizations/${orgId}/api-keys`
      return (await node.ok(path, { as: bootstrapToken, body: key })).body
    },
    async close() {
      node.feed.close()
      await test.close()
    },
  }
}

export type IdentityApp = Awaited<ReturnType<typeof openIdentityApp>>

/** The session of a `Set-Cookie` header, as the browser sends it back. */
export function cookieOf(answer: Answer): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** The headers a browser adds to a request of our own page. */
export function fromOwnPage(cookie: string): Record<string, string> {
  return { cookie, 'sec-fetch-site': 'same-origin', 'x-requested-by': 'signalbox' }
}
