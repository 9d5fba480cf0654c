import { once } from 'node:events'
import {
  apiKeyEndpoints,
  chatEndpoints,
  codehostEndpoints,
  deploymentEndpoints,
  grantEndpoints,
  groupEndpoints,
  inboxEndpoints,
  integrationEndpoints,
  notificationRouteEndpoints,
  policyEndpoints,
  providerAppEndpoints,
  scimEndpoints,
  signInProviderEndpoints,
  singleSignOnEndpoints,
  testRunEndpoints,
  trackerEndpoints,
  workflowEndpoints,
  type EndpointShape,
  type OperationId,
} from '@signalbox/contract/rest'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { nastyJson } from '../../packages/server/src/http/testing/nasty-json.ts'
import { badCase, valueKeys, type BadCase } from '../testing/bad-input/cases.ts'
import { judgeAnswer, type Fault } from '../testing/bad-input/judge.ts'
import { openLane, type LaneTarget } from '../testing/bad-input/lane.ts'
import { openNaiveService } from '../testing/bad-input/naive.ts'
import { createMaker, type MadeKey } from '../testing/organization.ts'
import { hostileEncodings, hostileTexts } from '../testing/bad-input/texts.ts'
import { listBadReports } from '../testing/bad-reports.ts'
import { byDay } from '../testing/by-day.ts'
import { changedTables, hashDatabase } from '../testing/database-hash.ts'
import { bearer, createClient, type Ask, type Client } from '../testing/http.ts'
import { openProviderWorld, type ProviderWorld } from '../testing/provider-world.ts'
import { draft, toAsk } from '../testing/request-table.ts'
import { createTargetMaker, type Inhabited } from '../testing/target.ts'

/**
 * Without defences four times as many find each kind of fault, the rarest 72 times: 609 answers that are no problem, 427 left
 * something, 300 altered, 161 errors of the server, 72 accepted.
 */
const total = 250 * inject('scale')
const laneCount = 16
/** Fixed, so that a failure can be repeated; another one looks at other cases. */
const seed = Number(process.env['BAD_INPUT_SEED'] ?? 20_261_121)

/** Counts what an organization stores: every change adds an event to its log in the same transaction. */
const stateSql = `select concat_ws(' ',
  (select sequence from audit_chains where org_id = $1),
  (select sum(version) from current_values where org_id = $1),
  (select count(*) from config_versions where org_id = $1),
  (select sum(revision) from config_schemas where org_id = $1),
  (select count(*) from config_schemas where org_id = $1),
  (select count(*) from environments where org_id = $1),
  (select count(*) from api_keys where org_id = $1)) as state`

type Endpoints = readonly (EndpointShape & { readonly operationId: OperationId })[]

const ofFeatures = Object.values({
  ...chatEndpoints,
  ...codehostEndpoints,
  ...deploymentEndpoints,
  ...inboxEndpoints,
  ...integrationEndpoints,
  ...notificationRouteEndpoints,
  ...providerAppEndpoints,
  ...testRunEndpoints,
  ...trackerEndpoints,
  ...workflowEndpoints,
}) as Endpoints
/** Endpoints of who may do what, which no key calls. */
const ofAccess = Object.values({
  ...apiKeyEndpoints,
  ...grantEndpoints,
  ...groupEndpoints,
  ...policyEndpoints,
  ...signInProviderEndpoints,
  ...singleSignOnEndpoints,
}) as Endpoints
const ofDirectories = Object.values(scimEndpoints) as Endpoints
const every = [...ofFeatures, ...ofAccess]
const asJson = { 'content-type': 'application/json' }

let world: ProviderWorld
let api: Client
let own: Inhabited

beforeAll(async () => {
  world = await openProviderWorld()
  api = createClient(world.proof.current().apiUrl)
  own = await (await createTargetMaker(world.proof, api)).inhabited('Own')
  await world.connect(own)
})

afterAll(async () => {
  api?.close()
  await world?.close()
})

interface Run {
  readonly faults: { readonly fault: Fault; readonly what: string }[]
  readonly statuses: Map<number, number>
  /** Counts how often each kind of request was accepted and refused. */
  readonly outcomes: Map<string, number>
  readonly tookMs: number[]
  cases: number
  checkedValues: number
}

/** Sends every case, the lanes side by side, each lane one after the other. */
async function runCases(lanes: readonly LaneTarget[], cases: readonly BadCase[]): Promise<Run> {
  const run: Run = {
    faults: [],
    statuses: new Map(),
    outcomes: new Map(),
    tookMs: [],
    cases: 0,
    checkedValues: 0,
  }
  let next = 0
  const runLane = async (place: LaneTarget) => {
    const lane = await openLane(place)
    for (let i = next++; i < cases.length; i = next++) {
      const ask = cases[i]?.(place.places)
      if (ask === undefined) continue
      const { faults, status, tookMs, checkedValues } = await lane.run(ask)
      const outcome = `${ask.kind} ${status >= 200 && status < 300 ? 'accepted' : 'refused'}`
      run.outcomes.set(outcome, (run.outcomes.get(outcome) ?? 0) + 1)
      run.statuses.set(status, (run.statuses.get(status) ?? 0) + 1)
      run.cases++
      // A wire case may wait for an answer that never comes.
      if (ask.kind !== 'wire') run.tookMs.push(tookMs)
      run.checkedValues += checkedValues
      const body = ask.bytes?.toString('latin1').slice(0, 300) ?? ''
      const what = `case ${i} (${ask.kind}): ${ask.method} ${ask.path.slice(0, 200)} ${body}`
      for (const fault of faults) {
        run.faults.push({ fault, what: `${status} ${JSON.stringify(ask.headers)} ${what}` })
      }
    }
  }
  await Promise.all(lanes.map(runLane))
  return run
}

function report(
  name: string,
  { faults, statuses, outcomes, tookMs, cases, checkedValues }: Run,
): void {
  const sorted = tookMs.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)
  const counts = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, n]) => `${n} x ${status}`)
  const found = Object.entries(Object.groupBy(faults, ({ fault }) => fault))
  const kinds = JSON.stringify(
    Object.fromEntries([...outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
  console.log(
    `${name}, seed ${seed}: ${cases} cases (${counts.join(', ')}; 0 = closed without an answer), ` +
      `${kinds}; ${checkedValues} values compared, p50 ${at(0.5)} p99 ${at(0.99)} max ${(sorted.at(-1) ?? 0).toFixed(1)} ms; ` +
      `faults ${JSON.stringify(Object.fromEntries(found.map(([fault, list]) => [fault, list?.length])))}`,
  )
}

async function makeLane(delivery: Client, n: number): Promise<LaneTarget> {
  const { proof } = world
  const { bootstrapToken } = proof
  const { apiUrl, configUrl } = proof.current()
  const maker = createMaker(api, bootstrapToken)
  const { id: orgId } = await maker.organization(`Lane ${n}`)
  const { id: environmentId } = await maker.environment(orgId, { name: 'main' })
  const { id: otherEnvironmentId } = await maker.environment(orgId, { name: 'other' })
  const tiers = { text: 'public', word: 'public', amount: 'public', on: 'featureFlags' } as const
  const schema = Object.fromEntries(
    Object.entries(valueKeys).map(([key, type]) => [
      key,
      { type, tier: key in tiers ? tiers[key as keyof typeof tiers] : 'secret' },
    ]),
  )
  const { id: valuesId } = await maker.schema(orgId, { name: 'values', schema })
  const { id: shapeId } = await maker.schema(orgId, { name: 'shape', schema: {} })
  const { secret: key } = await maker.key(orgId, { name: 'lane', kind: 'm2m' })
  const readState = async () =>
    (await proof.asOwner<{ state: string }>(stateSql, [orgId]))[0]?.state ?? ''
  const places = { orgId, environmentId, otherEnvironmentId, valuesId, shapeId, key }
  return { api, delivery, places, bootstrapToken, apiUrl, configUrl, readState }
}

describe('bad input (S6)', () => {
  it('is refused with a known problem and leaves nothing, or is kept to the byte', async () => {
    expect(nastyJson.length).toBeGreaterThanOrEqual(80)
    const delivery = createClient(world.proof.current().configUrl)
    const lanes: LaneTarget[] = []
    for (let n = 0; n < laneCount; n++) lanes.push(await makeLane(delivery, n))
    const run = await runCases(lanes, fc.sample(badCase, { numRuns: total, seed }))
    delivery.close()
    report('bad input', run)
    expect(run.faults.slice(0, 20)).toEqual([])
    expect(run.cases).toBe(total)
    // Both ways were taken, often.
    expect(run.checkedValues).toBeGreaterThan(total / 4)
    expect(run.statuses.get(422)).toBeGreaterThan(total / 4)
  })

  it('control: every kind of fault but a broken connection is found in a service without defences', async () => {
    const naive = await openNaiveService()
    const client = createClient(naive.url)
    const places = {
      orgId: 'org',
      environmentId: 'env',
      otherEnvironmentId: 'other',
      valuesId: 'values',
      shapeId: 'shape',
      key: 'key',
    }
    const lane: LaneTarget = {
      places,
      api: client,
      delivery: client,
      apiUrl: naive.url,
      configUrl: naive.url,
      bootstrapToken: 'token',
      readState: naive.readState,
    }
    const run = await runCases([lane], fc.sample(badCase, { numRuns: 500, seed }))
    client.close()
    await naive.close()
    report('control without defences', run)
    const found = new Set(run.faults.map(({ fault }) => fault))
    expect([...found].toSorted()).toEqual(
      expect.arrayContaining(['accepted', 'altered', 'no problem', 'server error', 'stored']),
    )
  })
})

interface FeatureCase {
  readonly name: string
  readonly ask: Ask
  /** Says that no endpoint may accept it. */
  readonly mustRefuse: boolean
}

const askOf = (operationId: OperationId) => toAsk(draft(operationId, own.target))

/** The whole body out of the dictionary. */
function bodies(endpoints: Endpoints): FeatureCase[] {
  const writing = endpoints.filter(({ body }) => body !== undefined)
  return writing.flatMap(({ operationId }) =>
    nastyJson
      .filter(({ code }) => code !== undefined)
      .map(({ bytes }, i) => {
        const { method, path } = askOf(operationId)
        const name = `${operationId} with body ${i}`
        return { name, ask: { method, path, bytes, headers: asJson }, mustRefuse: bytes.length > 0 }
      }),
  )
}

const oddValues = [1e308, -1, null, [], {}, [[]], [null]]

/** A hostile text in the place of each member of a good body, and of what is in it. */
function members(endpoints: Endpoints): FeatureCase[] {
  return endpoints
    .filter(({ body }) => body !== undefined)
    .flatMap(({ operationId }) => {
      const { method, path, json } = askOf(operationId)
      return Object.keys(Object(json)).flatMap((member) =>
        [...hostileTexts, ...oddValues].map((value, i) => ({
          name: `${operationId} with ${member} ${i}`,
          ask: { method, path, json: { ...Object(json), [member]: value } },
          mustRefuse: false,
        })),
      )
    })
}

const parameters = ['cursor', 'limit', 'query', 'state', 'code', 'sha', 'from', 'shard']

/** Hostile texts in queries and paths of what only reads. */
function addresses(endpoints: Endpoints, names: readonly string[]): FeatureCase[] {
  return endpoints
    .filter(({ method }) => method === 'GET')
    .flatMap(({ operationId, path }) =>
      hostileEncodings.flatMap((text, i) => {
        const { path: good } = askOf(operationId)
        const queries = names.map((name) => `${good.split('?')[0]}?${name}=${text}`)
        const last = path.endsWith('}') ? [good.replace(/[^/]+$/, text)] : []
        return [...queries, ...last].map((at) => ({
          name: `${operationId} at ${at} (${i})`,
          ask: { method: 'GET', path: at },
          mustRefuse: false,
        }))
      }),
    )
}

/** A hostile text in the place of each attribute that a directory sends, and of each part of a PATCH. */
function attributes(domain: string): FeatureCase[] {
  const user = {
    userName: 'hostile',
    externalId: 'hostile',
    displayName: 'hostile',
    active: true,
    name: { givenName: 'a', familyName: 'b', formatted: 'c' },
    emails: [{ value: `hostile@${domain}`, type: 'work', primary: true }],
  }
  const group = { displayName: 'hostile', externalId: 'hostile', members: [{ value: 'usr_1' }] }
  const operation = { op: 'replace', path: 'name.givenName', value: 'a' }
  const patch = (changed: object) => ({ Operations: [{ ...operation, ...changed }] })
  const sent: readonly [OperationId, object, (changed: object) => object][] = [
    ['createScimUser', user, (changed) => ({ ...user, ...changed })],
    ['replaceScimUser', user, (changed) => ({ ...user, ...changed })],
    ['createScimUser', user.name, (name) => ({ ...user, name: { ...user.name, ...name } })],
    ['createScimUser', { value: 1, type: 1 }, (changed) => ({ ...user, emails: [changed] })],
    ['createScimGroup', group, (changed) => ({ ...group, ...changed })],
    ['replaceScimGroup', group, (changed) => ({ ...group, ...changed })],
    ['patchScimUser', operation, patch],
    ['patchScimGroup', { ...operation, path: 'displayName' }, patch],
  ]
  return sent.flatMap(([operationId, from, toBody]) =>
    Object.keys(from).flatMap((member) =>
      [...hostileTexts, ...oddValues].map((value, i) => {
        const { method, path } = askOf(operationId)
        const ask = { method, path, json: toBody({ [member]: value }) }
        return { name: `${operationId} with ${member} ${i}`, ask, mustRefuse: false }
      }),
    ),
  )
}

function reports(): FeatureCase[] {
  const { method, path } = askOf('uploadTestReport')
  return listBadReports().map(({ what, ...sent }) => ({
    name: what,
    ask: { method, path, ...sent },
    mustRefuse: true,
  }))
}

/** Sends the cases, eight at a time, and says what is wrong with the answers. */
async function sendCases(client: Client, cases: readonly FeatureCase[], token: string) {
  const faults: string[] = []
  const statuses: Record<number, number> = {}
  const left = cases.values()
  const work = async () => {
    for (const { name, ask, mustRefuse } of left) {
      const headers = { ...ask.headers, ...bearer(token) }
      const send = () => client.send({ ...ask, headers }).catch(() => undefined)
      // The server may close the connection while it refuses 25 MB, before the rejection is read. A busy machine may keep its
      // database from answering in time, which a client is asked to repeat. A second attempt tells.
      const first = await send()
      const isUnread = first === undefined || first.bytes.includes('"db_unavailable"')
      const answer = isUnread ? await send() : first
      if (answer === undefined) {
        faults.push(`broken: ${name}`)
        continue
      }
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      const text = answer.bytes.toString().slice(0, 300)
      // A page says why not, to somebody in a browser.
      const isPage = answer.headers['content-type']?.startsWith('text/html') === true
      for (const fault of judgeAnswer(answer, mustRefuse)) {
        if (fault === 'no problem' && isPage) continue
        faults.push(`${fault}: ${name}: ${answer.status} ${text}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return { faults, statuses }
}

describe('bad input to the features (S6)', () => {
  it('is refused with a known problem and leaves nothing', async () => {
    const cases = byDay([...bodies(every), ...addresses(every, parameters)], 4)
    const before = await hashDatabase(world.proof)
    const { faults, statuses } = await sendCases(api, cases, world.proof.bootstrapToken)
    console.log(`${cases.length} cases: ${JSON.stringify(statuses)}`)
    expect(faults.slice(0, 10)).toEqual([])
    expect(changedTables(before, await hashDatabase(world.proof))).toEqual([])
    expect(cases.length).toBeGreaterThan(1_000)
  })

  it('from a directory is refused with an error of SCIM and leaves nothing, and is no error of ours in any attribute', async () => {
    const { org, domain } = own.target
    const { secret: token } = await createMaker(api, world.proof.bootstrapToken).call<MadeKey>(
      `POST /organizations/${org}/scim-tokens`,
      { name: 'hostile' },
    )
    const names = ['filter', 'startIndex', 'count', 'attributes']
    const refused = byDay([...bodies(ofDirectories), ...addresses(ofDirectories, names)], 4)
    const before = await hashDatabase(world.proof)
    const { faults, statuses } = await sendCases(api, refused, token)
    const changed = changedTables(before, await hashDatabase(world.proof))
    // It has the time when a token was last used.
    expect(changed.filter((table) => table !== 'scim_tokens')).toEqual([])
    const inAttributes = await sendCases(api, byDay(attributes(domain), 4), token)
    console.log(`${refused.length} cases: ${JSON.stringify(statuses)}`, inAttributes.statuses)
    expect([...faults, ...inAttributes.faults].slice(0, 10)).toEqual([])
    expect([statuses[401], inAttributes.statuses[401]]).toEqual([undefined, undefined])
  })

  it('in reports that are bombs is refused, and leaves no result: only that a part of the run is missing', async () => {
    const before = await hashDatabase(world.proof)
    const { faults } = await sendCases(api, reports(), world.proof.bootstrapToken)
    expect(faults).toEqual([])
    const changed = changedTables(before, await hashDatabase(world.proof))
    expect(changed.toSorted()).toEqual(['test_reports', 'test_runs'])
    const passed = await world.proof.asOwner(
      `select from test_runs where report_notes <> '{}' and state = 'passed'`,
    )
    expect(passed).toEqual([])
  })

  it('is no error of ours in any member, also where it is accepted', async () => {
    const key = own.credentials.m2m.headers['authorization']?.slice(7) ?? ''
    for (const [endpoints, token] of [
      [ofFeatures, key],
      [ofAccess, world.proof.bootstrapToken],
    ] as const) {
      const cases = byDay(members(endpoints), 4)
      const { faults, statuses } = await sendCases(api, cases, token)
      console.log(`${cases.length} cases: ${JSON.stringify(statuses)}`)
      expect(faults.slice(0, 10)).toEqual([])
      expect(cases.length).toBeGreaterThan(300)
      expect(statuses[403] ?? 0).toBeLessThan(cases.length / 2)
    }
  })

  it('control: a service without defences fails', async () => {
    const naive = await openNaiveService()
    const client = createClient(naive.url)
    const before = await naive.readState()
    const { faults } = await sendCases(
      client,
      [...byDay(bodies(ofFeatures), 4), ...reports()],
      'token',
    )
    client.close()
    expect(await naive.readState()).not.toBe(before)
    await naive.close()
    const found = new Set(faults.map((fault) => fault.split(':')[0]))
    expect([...found]).toEqual(expect.arrayContaining(['server error', 'no problem', 'accepted']))
  })
})

it('leaves the process that was started, which serves until it is asked to stop (S6)', async () => {
  const service = world.proof.current()
  expect(service.process.exitCode ?? service.process.signalCode).toBe(null)
  expect((await fetch(`${service.apiUrl}/healthz`)).status).toBe(200)
  const exited = once(service.process, 'exit')
  await service.stop()
  expect(await exited).toEqual([0, null])
})
