import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openConfigApp, type Answer, type ConfigApp } from '../testing/open-config-app.ts'
import { makeProtected, type Protected } from './testing/protected-app.ts'

const dayMs = 86_400_000

let opened: ConfigApp
let clock = 0
beforeAll(async () => {
  opened = await openConfigApp({ now: () => new Date(Date.now() + clock) })
})
afterAll(() => opened.close())

const scale = inject('scale')
const reviewers = ['ada', 'ben', 'cleo'] as const
const keys = ['title', 'subtitle'] as const

type Reviewer = (typeof reviewers)[number]
type Key = (typeof keys)[number]

interface OfRequest<K> {
  readonly kind: K
  readonly by: Reviewer | 'dan'
  readonly at: number
}

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
  | OfRequest<'apply'>
  | OfRequest<'override'>
  | OfRequest<'withdraw'>
  | { readonly kind: 'role'; readonly of: Reviewer; readonly role: 'developer' | 'viewer' }
  | { readonly kind: 'leave'; readonly of: Reviewer }
  | { readonly kind: 'policy'; readonly approvals: 1 | 2 }
  | { readonly kind: 'rotate' }
  | { readonly kind: 'time'; readonly days: number }

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
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('time'), days: fc.constantFrom(-2, 1, 16, 31) }),
  },
)

interface Waiting {
  readonly id: string
  key: Key
  /** Holds the value that readers had when the revision was written. */
  before: string
  value: string
  readonly authors: Set<string>
  revision: number
  verdicts: Map<string, string>
  expiresAt: number
  state: 'waiting' | 'applied' | 'ended'
  conflicted: boolean
}

/** Holds what the rules say about a world in which steps are played. */
interface World {
  readonly app: ConfigApp
  readonly shop: Protected
  readonly requests: Waiting[]
  readonly values: Record<Key, string>
  readonly roles: Record<string, string>
  approvals: number
}

/** Throws where an answer is another than the rules say. */
function requireOutcome(isExpected: boolean, step: Step, { status, text }: Answer): void {
  if (isExpected !== status < 300) throw new Error(`${JSON.stringify(step)}: ${status} ${text}`)
}

/** Returns whether people can decide about a request: for thirty days, whether or not a job has ended it by then. */
function isWaiting({ state, expiresAt }: Waiting): boolean {
  return state === 'waiting' && clock <= expiresAt
}

function pick({ requests }: World, { at: index }: { readonly at: number }): Waiting | undefined {
  return requests[index % Math.max(1, requests.length)]
}

function hasEnough({ roles, approvals }: World, request: Waiting): boolean {
  const counting = (wanted: string) =>
    [...request.verdicts].filter(
      ([name, said]) =>
        said === wanted && roles[name] === 'developer' && !request.authors.has(name),
    ).length
  return counting('decline') === 0 && counting('approve') >= approvals
}

async function setRole({ app, shop, roles }: World, name: Reviewer, role: string): Promise<void> {
  roles[name] = role
  const of = [app.orgId, shop.ids[name]]
  await app.test.asOwner('delete from members where org_id = $1 and user_id = $2', of)
  if (role === 'none') return
  const sql = 'insert into members (org_id, user_id, role) values ($1, $2, $3)'
  await app.test.asOwner(sql, [...of, role])
}

type Kind = Step['kind']
type Of<K extends Kind> = Extract<Step, { readonly kind: K }>

async function askFor(world: World, step: Of<'ask'>): Promise<void> {
  const { shop, requests, values } = world
  const answer = await shop.ask(step.by, { [step.key]: step.value })
  requireOutcome(true, step, answer)
  if (answer.status !== 202) {
    if (step.value !== values[step.key]) throw new Error('It was done without approval')
    return
  }
  if (requests.some(({ id }) => id === answer.body.id)) return
  requests.push({
    id: answer.body.id,
    key: step.key,
    before: values[step.key],
    value: step.value,
    authors: new Set([step.by]),
    revision: 1,
    verdicts: new Map(),
    expiresAt: clock + 30 * dayMs,
    state: 'waiting',
    conflicted: false,
  })
}

async function revise(world: World, step: Of<'revise'>): Promise<void> {
  const { app, values } = world
  const request = pick(world, step)
  if (request === undefined) return
  const { body } = await app.ok('admin', `GET /change-requests/${request.id}`)
  const operation = structuredClone(body.operation)
  operation.body.changes[0].set = { [request.key]: step.value }
  const answer = await app.call(step.by, `PUT /change-requests/${request.id}`, {
    headers: { 'if-match': `"${body.version}"` },
    body: { title: 'Revised', operation },
  })
  const isDone = isWaiting(request) && step.value !== values[request.key]
  requireOutcome(isDone, step, answer)
  if (!isDone) return
  request.authors.add(step.by)
  Object.assign(request, {
    before: values[request.key],
    value: step.value,
    revision: request.revision + 1,
    verdicts: new Map(),
    expiresAt: clock + 30 * dayMs,
    conflicted: false,
  })
}

async function review(world: World, step: Of<'review'>): Promise<void> {
  const request = pick(world, step)
  if (request === undefined) return
  const { by: name, verdict: said } = step
  const answer = await world.shop.review(name, request.id, said, request.revision)
  const mayReview = world.roles[name] === 'developer' && !request.authors.has(name)
  const isDone = isWaiting(request) && mayReview
  requireOutcome(isDone, step, answer)
  if (!isDone || (said === 'comment' && request.verdicts.get(name) === 'approve')) return
  request.verdicts.set(name, said)
}

async function apply(world: World, step: Of<'apply' | 'override'>): Promise<void> {
  const { app, values } = world
  const request = pick(world, step)
  if (request === undefined) return
  const isOverride = step.kind === 'override'
  const answer = await app.call(step.by, `POST /change-requests/${request.id}/${step.kind}`, {
    ...(isOverride && { body: { comment: 'An emergency' } }),
  })
  const isOpen = isWaiting(request) && !request.conflicted
  const mayTry = isOpen && (isOverride || hasEnough(world, request))
  const isSame = values[request.key] === request.before
  requireOutcome(mayTry && isSame, step, answer)
  if (!mayTry) return
  if (isSame) {
    request.state = 'applied'
    values[request.key] = request.value
  } else request.conflicted = true
}

const plays: { readonly [K in Kind]: (world: World, step: Of<K>) => Promise<void> } = {
  ask: askFor,
  revise,
  review,
  apply,
  override: apply,
  async withdraw(world, step) {
    const request = pick(world, step)
    if (request === undefined) return
    const answer = await world.app.call(step.by, `POST /change-requests/${request.id}/withdraw`)
    const isDone = isWaiting(request)
    requireOutcome(isDone, step, answer)
    if (isDone) request.state = 'ended'
  },
  role: (world, step) => setRole(world, step.of, step.role),
  leave: (world, step) => setRole(world, step.of, 'none'),
  async policy(world, step) {
    world.approvals = step.approvals
    const sql = 'update environments set approvals = $2 where id = $1'
    await world.app.test.asOwner(sql, [world.shop.production, step.approvals])
  },
  time(_world, { days }) {
    clock += days * dayMs
    return Promise.resolve()
  },
  async rotate({ app }) {
    const sql = 'update data_keys set seals = 2000000000 where org_id = $1'
    await app.test.asOwner(sql, [app.orgId])
    await app.deps.keys.flushSealCounts()
  },
}

/** Plays steps. Throws where an outcome, or what readers get afterwards, is not what the rules say. */
async function play(steps: readonly Step[]): Promise<void> {
  const app = await opened.another()
  const world: World = {
    app,
    shop: await makeProtected(app),
    requests: [],
    values: { title: 'One', subtitle: 'Sub' },
    roles: { ada: 'developer', ben: 'developer', cleo: 'developer' },
    approvals: 1,
  }
  for (const step of steps) {
    const start: (world: World, step: never) => Promise<void> = plays[step.kind]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has each kind's own function
    await start(world, step as never)
    const found = await world.shop.read()
    const isAsExpected = keys.every((key) => found[key] === world.values[key])
    if (!isAsExpected)
      throw new Error(`${JSON.stringify(step)}: readers get ${JSON.stringify(found)}`)
  }
}

describe('any order of asking, editing, reviewing, losing rights, applying and overriding', () => {
  it(
    'applies nothing without the approvals of that moment, twice, or over what somebody else has changed',
    async () => {
      const runs = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), play)
      await expect(fc.assert(runs, { numRuns: 8 * scale })).resolves.toBeUndefined()
    },
    60_000 * scale,
  )
})
