import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { makeProtected, type Protected } from './testing/protected-app.ts'

let opened: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp()
})
afterAll(() => opened.close())

const scale = inject('scale')
const reviewers = ['ada', 'ben', 'cleo'] as const
const keys = ['title', 'subtitle'] as const

type Reviewer = (typeof reviewers)[number]
type Key = (typeof keys)[number]

/** Describes a step of somebody, or of the world. */
type Step =
  | { readonly kind: 'ask'; readonly by: Reviewer; readonly key: Key; readonly value: string }
  | { readonly kind: 'revise'; readonly by: Reviewer; readonly at: number; readonly value: string }
  | {
      readonly kind: 'review'
      readonly by: Reviewer
      readonly at: number
      readonly verdict: 'approve' | 'decline' | 'comment'
    }
  | {
      readonly kind: 'apply' | 'override' | 'withdraw'
      readonly by: Reviewer | 'dan'
      readonly at: number
    }
  | { readonly kind: 'role'; readonly of: Reviewer; readonly role: 'developer' | 'viewer' }
  | { readonly kind: 'leave'; readonly of: Reviewer }
  | { readonly kind: 'policy'; readonly approvals: 1 | 2 }
  | { readonly kind: 'rotate' }

const by = fc.constantFrom(...reviewers)
const at = fc.nat(5)
const value = fc.constantFrom('One', 'Two', 'Three')
const verdict = fc.constantFrom('approve', 'approve', 'approve', 'decline', 'comment')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('ask'), by, key: fc.constantFrom(...keys), value }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revise'), by, at, value }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('review'), by, at, verdict }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('apply'), by, at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('override', 'withdraw'),
      by: fc.constant('dan'),
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('role'),
      of: by,
      role: fc.constantFrom('developer', 'viewer'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave'), of: by }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('policy'), approvals: fc.constantFrom(1, 2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rotate') }) },
) as fc.Arbitrary<Step>

interface Waiting {
  readonly id: string
  key: Key
  /** Holds the value that readers had when the revision was written. */
  before: string
  value: string
  readonly authors: Set<string>
  revision: number
  version: number
  verdicts: Map<string, string>
  state: 'waiting' | 'applied' | 'ended'
  conflicted: boolean
}

/** Plays steps, and compares each outcome with what the rules say. */
async function play(app: ConfigApp, shop: Protected, steps: readonly Step[]): Promise<void> {
  const requests: Waiting[] = []
  const values: Record<Key, string> = { title: 'One', subtitle: 'Sub' }
  const roles: Record<string, string> = { ada: 'developer', ben: 'developer', cleo: 'developer' }
  let approvals = 1
  const pick = (index: number) => requests[index % Math.max(1, requests.length)]
  const setRole = async (name: Reviewer, role: 'developer' | 'viewer' | 'none') => {
    roles[name] = role
    const of = [app.orgId, shop.ids[name]]
    if (role === 'none') {
      await app.test.asOwner('delete from members where org_id = $1 and user_id = $2', of)
      return
    }
    await app.test.asOwner(
      `insert into members (org_id, user_id, role) values ($1, $2, '${role}')
        on conflict (org_id, user_id) do update set role = '${role}'`,
      of,
    )
  }
  const hasEnough = (request: Waiting) => {
    const counting = (wanted: string) =>
      [...request.verdicts].filter(
        ([name, said]) =>
          said === wanted && roles[name] === 'developer' && !request.authors.has(name),
      ).length
    return counting('decline') === 0 && counting('approve') >= approvals
  }
  for (const next of steps) {
    switch (next.kind) {
      case 'ask': {
        const answer = await shop.ask(next.by, { [next.key]: next.value })
        if (next.value === values[next.key]) {
          expect(answer.status, JSON.stringify(next)).toBe(200)
          break
        }
        expect(answer.status, answer.text).toBe(202)
        if (requests.some(({ id }) => id === answer.body.id)) break
        requests.push({
          id: answer.body.id,
          key: next.key,
          before: values[next.key],
          value: next.value,
          authors: new Set([next.by]),
          revision: 1,
          version: answer.body.version,
          verdicts: new Map(),
          state: 'waiting',
          conflicted: false,
        })
        break
      }
      case 'revise': {
        const request = pick(next.at)
        if (request === undefined) break
        const { body } = await app.ok('admin', `GET /change-requests/${request.id}`)
        const operation = structuredClone(body.operation)
        operation.body.changes[0].set = { [request.key]: next.value }
        const answer = await app.call(next.by, `PUT /change-requests/${request.id}`, {
          headers: { 'if-match': `"${body.version}"` },
          body: { title: 'Revised', operation },
        })
        const isNews = next.value !== values[request.key]
        const isDone = request.state === 'waiting' && isNews
        expect([next.kind, answer.status < 300], answer.text).toEqual([next.kind, isDone])
        if (!isDone) break
        request.before = values[request.key]
        request.value = next.value
        request.authors.add(next.by)
        request.revision += 1
        request.verdicts = new Map()
        request.conflicted = false
        break
      }
      case 'review': {
        const request = pick(next.at)
        if (request === undefined) break
        const answer = await shop.review(next.by, request.id, next.verdict, request.revision)
        const isAllowed =
          request.state === 'waiting' &&
          roles[next.by] === 'developer' &&
          !request.authors.has(next.by)
        expect([next, answer.status === 200], answer.text).toEqual([next, isAllowed])
        if (!isAllowed) break
        const last = request.verdicts.get(next.by)
        if (next.verdict !== 'comment' || last !== 'approve')
          request.verdicts.set(next.by, next.verdict)
        break
      }
      case 'apply':
      case 'override': {
        const request = pick(next.at)
        if (request === undefined) break
        const answer = await app.call(next.by, `POST /change-requests/${request.id}/${next.kind}`, {
          ...(next.kind === 'override' && { body: { comment: 'An emergency' } }),
        })
        const mayTry =
          request.state === 'waiting' &&
          !request.conflicted &&
          (next.kind === 'override' || hasEnough(request))
        const isSame = values[request.key] === request.before
        expect([next, answer.status === 200], answer.text).toEqual([next, mayTry && isSame])
        if (mayTry && isSame) {
          request.state = 'applied'
          values[request.key] = request.value
        } else if (mayTry) request.conflicted = true
        break
      }
      case 'withdraw': {
        const request = pick(next.at)
        if (request === undefined) break
        const answer = await app.call(next.by, `POST /change-requests/${request.id}/withdraw`)
        expect(answer.status === 200).toBe(request.state === 'waiting')
        if (request.state === 'waiting') request.state = 'ended'
        break
      }
      case 'role':
        await setRole(next.of, next.role)
        break
      case 'leave':
        await setRole(next.of, 'none')
        break
      case 'policy':
        approvals = next.approvals
        await app.test.asOwner(
          'update environments set approvals = $3 where org_id = $1 and id = $2',
          [app.orgId, shop.production, approvals],
        )
        break
      case 'rotate':
        await app.test.asOwner('update data_keys set seals = 2000000000 where org_id = $1', [
          app.orgId,
        ])
        await app.deps.keys.flushSealCounts()
        break
    }
    expect(await shop.read()).toMatchObject(values)
  }
}

describe('any order of asking, editing, reviewing, losing rights, applying and overriding', () => {
  it(
    'applies nothing without the approvals of that moment, twice, or over what somebody else has changed',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          const app = await opened.another()
          await play(app, await makeProtected(app), steps)
        }),
        { numRuns: 8 * scale },
      )
    },
    60_000 * scale,
  )
})
