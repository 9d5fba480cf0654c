import { gunzipSync } from 'node:zlib'
import { Problem, type Grant, type SchemaDefinition, type Role } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import { generateRootKey, type RootKey } from '../../crypto/root-key.ts'
import type { Actor, UserActor } from '../../http/admission/actor.ts'
import type { Router } from '../../http/router.ts'
import type { RouterDeps } from '../../http/serve-endpoint.ts'
import { createTestRouter } from '../../http/testing/test-router.ts'
import { isChatConnected } from '../../integrations/chat-rows.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys, type OrganizationKeys } from '../../vault/organization-keys.ts'
import { openPublisherKeys } from '../../vault/publisher-keys.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { withoutRequest } from '../../config-model/approval-check.ts'
import type { DeployedIn, ProofDeps, ProofTest } from '../proofs/proof-deps.ts'
import { createEgress } from '../../egress/create-egress.ts'
import type { SignalDeps } from '../signals/test-signal.ts'
import type { RequestDeps } from '../requests/request-deps.ts'
import type { Reading } from '../signals/signal.ts'
import { createPublishedQuota, type PublishedLimits } from '../publication/published-quota.ts'
import { mountConfigs } from '../routes.ts'
import { createSchemaCache } from '../schemas/schema-cache.ts'
import { toTestApp, type TestApp } from '../../http/testing/test-app.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

export interface CallOptions {
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Holds what other features and servers know of changes. */
interface Watched {
  readonly deployed: DeployedIn[]
  readonly tests: ProofTest[]
  readonly readings: Map<string, Reading>
}

export interface ConfigApp {
  readonly test: TestStore
  readonly deps: RequestDeps & ProofDeps & SignalDeps & { readonly keys: OrganizationKeys }
  readonly rootKeys: () => readonly RootKey[]
  readonly orgId: string
  /** An organization that nobody here belongs to but `stranger`. */
  readonly otherOrgId: string
  /** The ids that were emitted, of versions and organizations. */
  readonly emittedIds: string[]
  /** Holds the jobs that were added. */
  readonly enqueued: object[]
  /** Names the key of each read of secrets. */
  readonly secretReads: string[]
  /** Holds what went live, how test runs stand, and what each signal says by its id. One that is not there has no data. */
  readonly watched: Watched
  /** Adds or replaces the actor that `as` names. */
  setActor(name: string, actor: Actor, role?: Role, grants?: readonly Grant[]): void
  /** Calls `path` below the organization as one of the actors; paths beginning with `/organizations` as they are. */
  call(as: string, request: string, options?: CallOptions): Promise<Answer>
  /** Sends a request without an actor. */
  readonly request: TestApp['request']
  /** The same as `call`, and fails unless the answer is a success. */
  ok(as: string, request: string, options?: CallOptions): Promise<Answer>
  /** Returns a person with a personal access token. */
  person(name: string): UserActor
  addEnvironment(name: string, parentId?: string): Promise<string>
  addSchema(name: string, schema: SchemaDefinition): Promise<string>
  /** Opens two more organizations on the same database, which have nothing yet. */
  another(): Promise<ConfigApp>
  close(): Promise<void>
}

const user = (name: string, via: 'token' | 'session' = 'token') =>
  ({
    type: 'user',
    userId: newId('usr', new Date()),
    name,
    email: `${name}@example.com`,
    via,
    manages: true,
    credentialId: `pat_${name}`,
  }) as const

/** Returns an API key that reaches everything of its organization, unless `restricted` narrows it. */
export function buildKey(
  orgId: string,
  kind: 'b2m' | 'm2m',
  restricted: Partial<Actor> = {},
): Actor {
  const keyId = newId('key', new Date())
  const base = {
    type: 'api_key',
    orgId,
    keyId,
    kind,
    access: 'write',
    name: `the ${kind} key`,
  } as const
  const reach = { environmentIds: null, schemaIds: null, credentialId: keyId }
  return Object.assign({ ...base, ...reach }, restricted)
}

export interface OpenConfigApp extends Partial<Pick<RouterDeps, 'limiter' | 'guard'>> {
  readonly publishedLimits?: PublishedLimits
  /** Tells the time. Default: the clock of the machine. */
  readonly now?: () => Date
  /** Lists what members may reach although it is not public. */
  readonly egressAllow?: readonly string[]
  /** Mounts what else is served. */
  readonly mount?: (router: Router, deps: ConfigDeps) => void
}

/**
 * Opens the configuration half of the service in process, on a real database, with one organization and a foreign one.
 */
export async function openConfigApp({
  mount,
  egressAllow = [],
  publishedLimits = { perOrganizationBytes: Infinity, perServerBytes: Infinity },
  now = () => new Date(),
  ...options
}: OpenConfigApp = {}): Promise<ConfigApp> {
  const test = await openTestStore()
  const rootKey = generateRootKey()
  await verifyRootKeys(test, [rootKey])
  const keys = createOrganizationKeys({ store: test.store, rootKeys: () => [rootKey], now })
  const emittedIds: string[] = []
  const secretReads: string[] = []
  const enqueued: object[] = []
  const watched: Watched = { deployed: [], tests: [], readings: new Map() }
  const rootKeys = () => [rootKey]
  const publisherKeys = await openPublisherKeys({ store: test.store, rootKeys })
  const deps: ConfigApp['deps'] = {
    store: test.store,
    keys,
    publisherKeys,
    schemas: createSchemaCache(),
    isChatConnected,
    noteSecretRead: ({ keyId }) => void secretReads.push(keyId),
    quota: createPublishedQuota({ store: test.store, limits: publishedLimits, now }),
    approvalCheck: withoutRequest,
    egress: createEgress({ allow: egressAllow }),
    publicUrl: () => 'https://signalbox.example.com',
    jobs: {
      enqueue: (_tx, _queue, data) => {
        enqueued.push(data)
        return Promise.resolve()
      },
    },
    emit: (_tx, _event, { id }) => {
      emittedIds.push(id)
      return Promise.resolve()
    },
    now,
    proofPorts: {
      proofTests: (_tx, _orgId, ruleKeys) =>
        Promise.resolve(watched.tests.filter(({ ruleKey }) => ruleKeys.includes(ruleKey))),
      listDeployed: () => Promise.resolve(watched.deployed),
    },
    signalReader: {
      read: ({ id }) => Promise.resolve(watched.readings.get(id) ?? silent),
    },
  }
  /** By organization and name. */
  const actors: Actors = new Map()
  const known = (actor: Actor) => [...actors.values()].find((entry) => entry.actor === actor)
  const router = createTestRouter({
    ...options,
    authenticate: ({ authorization }) => {
      const entry = actors.get(authorization?.replace('Bearer ', '') ?? '')
      if (entry === undefined) throw new Problem('invalid_credentials', 'Nobody is called so.')
      return Promise.resolve(entry.actor)
    },
    resolveOrganization: (actor, ref) => {
      const entry = known(actor)
      if (entry?.org !== ref) return Promise.resolve(undefined)
      return Promise.resolve({
        organization: { id: ref, slug: ref.toLowerCase(), name: 'Test' },
        role: entry.role,
        grants: entry.grants,
      })
    },
  })
  mountConfigs(router, deps)
  mount?.(router, deps)
  const app = toTestApp(router.build())
  const made = { test, deps, rootKeys, emittedIds, enqueued, secretReads, watched }
  return addOrganizations({ ...made, actors, app })
}

const silent: Reading = { verdict: 'none', value: null, detail: 'nothing is known' }

const ofDashboard = { 'sec-fetch-site': 'same-origin', 'x-requested-by': 'dashboard' }

interface TestActor {
  readonly actor: Actor
  readonly role: Role | undefined
  readonly grants: readonly Grant[]
  readonly org: string
}

type Actors = Map<string, TestActor>

interface Shared extends Pick<
  ConfigApp,
  'test' | 'deps' | 'rootKeys' | 'emittedIds' | 'enqueued' | 'secretReads' | 'watched'
> {
  readonly actors: Actors
  readonly app: TestApp
}

async function addOrganizations(shared: Shared): Promise<ConfigApp> {
  const { actors, app, ...common } = shared
  const { test, deps } = common
  const [orgId, otherOrgId] = [newId('org', deps.now()), newId('org', deps.now())]
  for (const id of [orgId, otherOrgId]) {
    await test.asOwner('insert into organizations (id, slug, name) values ($1, lower($1), $1)', [
      id,
    ])
    await test.store.transaction({ orgId: id }, (tx) => deps.keys.create(tx, id))
  }
  const put = (
    name: string,
    actor: Actor,
    role?: Role,
    { org = orgId, grants = [] }: { org?: string; grants?: readonly Grant[] } = {},
  ) => actors.set(`${orgId}/${name}`, { actor, role, grants, org })
  for (const role of ['owner', 'admin', 'developer', 'viewer'] as const) put(role, user(role), role)
  put('m2m', buildKey(orgId, 'm2m'))
  put('b2m', buildKey(orgId, 'b2m'))
  put('bootstrap', { type: 'bootstrap', credentialId: 'bootstrap' }, 'owner')
  put('stranger', user('stranger'), 'owner', { org: otherOrgId })
  const call: ConfigApp['call'] = async (as, request, { body, raw, headers } = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ')
    const full = path.startsWith('/organizations') ? path : `/organizations/${orgId}${path}`
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await app.request(full, {
      method,
      headers: {
        authorization: `Bearer ${orgId}/${as}`,
        ...ofDashboard,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: Buffer.from(payload) }),
    })
    const isCompressed = answer.headers.get('content-encoding') === 'gzip'
    const text = isCompressed
      ? gunzipSync(await answer.arrayBuffer()).toString()
      : await answer.text()
    const parsed: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: answer.status, headers: answer.headers, text, body: parsed }
  }
  const ok: ConfigApp['ok'] = async (as, request, options) => {
    const answer = await call(as, request, options)
    if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${answer.text}`)
    return answer
  }
  return {
    ...common,
    orgId,
    otherOrgId,
    setActor: (name, actor, role, grants = []) => void put(name, actor, role, { grants }),
    call,
    request: (path, init) => app.request(path, init),
    ok,
    person: (name) => user(name),
    async addEnvironment(name, parentId) {
      const body = { name, ...(parentId === undefined ? {} : { parentId }) }
      return (await ok('admin', 'POST /environments', { body })).body.id
    },
    async addSchema(name, schema) {
      return (await ok('developer', 'POST /config-schemas', { body: { name, schema } })).body.id
    },
    another: () => addOrganizations(shared),
    close: () => test.close(),
  }
}
