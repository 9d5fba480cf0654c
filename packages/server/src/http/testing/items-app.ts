import { Problem } from '@signalbox/contract'
import { declareEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { IdempotentReplay, type IdempotencyClaim } from '../../store/scope.ts'
import type { Actor } from '../admission/actor.ts'
import type { RouterDeps } from '../serve-endpoint.ts'
import { createTestRouter } from './test-router.ts'
import { toTestApp } from './test-app.ts'

const item = z.object({ id: z.string(), name: z.string() })
const access = { kind: 'organization', role: 'developer', keys: 'm2m' } as const
const path = '/organizations/{org_id}/items' as const
const { createItem, listItems, deleteItem, renameItem, signIn, whoAmI } = declareEndpoints({
  tag: 'Items',
  summary: 'Of the tests.',
  topics: [],
})({
  createItem: {
    method: 'POST',
    path,
    access,
    body: z.strictObject({ name: z.string().min(1), count: z.number().int().optional() }),
    bodyLimitBytes: 1024,
    response: { status: 201, body: item },
  },
  listItems: {
    method: 'GET',
    path,
    access: { ...access, role: 'viewer', keys: 'm2m+b2m' },
    query: z.strictObject({ limit: z.coerce.number().default(2), cursor: z.string().optional() }),
    response: {
      status: 200,
      body: z.object({ items: z.array(z.number()), nextCursor: z.string().nullable() }),
    },
  },
  deleteItem: {
    method: 'DELETE',
    path: `${path}/{item_id}`,
    access,
    response: { status: 204 },
  },
  renameItem: {
    method: 'POST',
    path: `${path}/rename`,
    access,
    body: z.strictObject({ name: z.string().optional() }),
    response: { status: 200, body: z.object({ renamed: z.string() }) },
  },
  signIn: {
    method: 'POST',
    path: '/sessions',
    access: { kind: 'open' },
    rateClass: 'signIn',
    body: z.strictObject({ email: z.string() }),
    response: { status: 201, body: z.object({ ok: z.boolean() }) },
  },
  whoAmI: {
    method: 'GET',
    path: '/me',
    access: { kind: 'identified' },
    response: { status: 200, body: z.object({ type: z.string() }) },
  },
})

export { whoAmI }

const user = { type: 'user', userId: 'usr_1', name: 'A', email: 'a@b.c' } as const
const key = { type: 'api_key', orgId: 'org_1', keyId: 'key_1', name: 'K', access: 'write' } as const
const everywhere = { environmentIds: null, schemaIds: null }
export const itemsActors: Readonly<Record<string, Actor>> = {
  dev: { ...user, via: 'token', credentialId: 'pat_1' },
  viewer: { ...user, userId: 'usr_2', via: 'token', credentialId: 'pat_2' },
  session: { ...user, via: 'session', credentialId: 'ses_1' },
  m2m: { ...key, ...everywhere, kind: 'm2m', credentialId: 'key_1' },
  b2m: { ...key, ...everywhere, kind: 'b2m', credentialId: 'key_2' },
  rly: { ...key, ...everywhere, kind: 'rly', credentialId: 'key_3' },
  bootstrap: { type: 'bootstrap', credentialId: 'bootstrap' },
}
const organization = { id: 'org_1', slug: 'acme', name: 'Acme' }

/** A small service: who knows the name of an actor is that actor. */
export function openItemsApp(deps: Partial<RouterDeps> = {}) {
  const claims: IdempotencyClaim[] = []
  const answered = new Map<string, unknown>()
  const router = createTestRouter({
    authenticate: ({ authorization, cookie }) => {
      const name = authorization?.replace('Bearer ', '') ?? cookie?.replace('s=', '')
      if (name === undefined) return Promise.resolve(undefined)
      const actor = itemsActors[name]
      if (actor === undefined) throw new Problem('invalid_credentials', 'Unknown.')
      return Promise.resolve(actor)
    },
    resolveOrganization: (actor, ref) => {
      if (ref !== 'org_1' && ref !== 'acme') return Promise.resolve(undefined)
      const role = actor.type !== 'user' ? undefined : actor.userId === 'usr_2' ? 'viewer' : 'admin'
      return Promise.resolve({ organization, role })
    },
    ...deps,
  })
    .add(createItem, {
      handle: ({ body, scope }) => {
        if (body.name === 'bug') throw new TypeError('secret in here')
        const { idempotency } = scope
        const result = { id: 'itm_1', name: body.name, secret: 'once' }
        if (idempotency !== undefined) {
          claims.push(idempotency)
          const before = answered.get(idempotency.key)
          if (before !== undefined) throw new IdempotentReplay(idempotency.status, before)
          answered.set(idempotency.key, idempotency.record(result))
        }
        return Promise.resolve(result)
      },
      present: ({ id, name }) => ({ id, name }),
      headers: () => ({ ETag: '"1"' }),
    })
    .add(listItems, {
      handle: ({ query, readCursor, writeCursor }) => {
        const after = readCursor(z.number()) ?? 0
        const items = [1, 2, 3, 4, 5].filter((n) => n > after).slice(0, query.limit)
        const last = items.at(-1) ?? 5
        return Promise.resolve({ items, nextCursor: last < 5 ? writeCursor(last) : null })
      },
      present: (result) => result,
      headers: ({ items }) => ({ ETag: `"${items.join('-')}"` }),
    })
    .add(deleteItem, {
      handle: ({ params, ifMatch }) => {
        if (params.item_id === 'stale' && ifMatch !== 12)
          throw new Problem('revision_mismatch', 'It is 12.')
        return Promise.resolve()
      },
    })
    .add(renameItem, {
      handle: ({ body, organization }) => Promise.resolve(body.name ?? organization.slug),
      present: (renamed) => ({ renamed }),
    })
    .add(signIn, { handle: () => Promise.resolve(true), present: (ok) => ({ ok }) })
    .add(whoAmI, {
      handle: ({ actor }) => Promise.resolve(actor.type),
      present: (type) => ({ type }),
    })
  const app = toTestApp(router.build())
  const call = async (method: string, target: string, options: CallOptions = {}) => {
    const { as, body, headers = {} } = options
    const response = await app.request(target, {
      method,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json: Answer = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, text, ...json }
  }
  return { call, claims, app }
}

export interface CallOptions {
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly code?: string
  readonly detail?: string
  readonly instance?: string
  readonly errors?: { pointer: string; code: string; detail: string }[]
  readonly items?: number[]
  readonly nextCursor?: string | null
}
