import {
  chatEndpoints,
  codehostEndpoints,
  deploymentEndpoints,
  inboxEndpoints,
  integrationEndpoints,
  notificationRouteEndpoints,
  providerAppEndpoints,
  testRunEndpoints,
  trackerEndpoints,
  workflowEndpoints,
  type EndpointShape,
  type OperationId,
} from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nastyJson } from '../../packages/server/src/http/testing/nasty-json.ts'
import { judgeAnswer } from '../testing/bad-input/judge.ts'
import { openNaiveService } from '../testing/bad-input/naive.ts'
import { hostileEncodings, hostileTexts } from '../testing/bad-input/texts.ts'
import { listBadReports } from '../testing/bad-reports.ts'
import { changedTables, hashDatabase } from '../testing/database-hash.ts'
import { bearer, createClient, type Ask, type Client } from '../testing/http.ts'
import { openProviderWorld, type ProviderWorld } from '../testing/provider-world.ts'
import { draft, toAsk } from '../testing/request-table.ts'
import { createTargetMaker, type Inhabited } from '../testing/target.ts'

const every = Object.values({
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
}) as readonly (EndpointShape & { readonly operationId: OperationId })[]
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

interface BadCase {
  readonly name: string
  readonly ask: Ask
  /** Says that no endpoint may accept it. */
  readonly mustRefuse: boolean
}

const askOf = (operationId: OperationId) => toAsk(draft(operationId, own.target))

/** The whole body out of the dictionary. */
function bodies(): BadCase[] {
  const writing = every.filter(({ body }) => body !== undefined)
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

/** A hostile text in the place of each member of a good body, and of what is in it. */
function members(): BadCase[] {
  return every
    .filter(({ body }) => body !== undefined)
    .flatMap(({ operationId }) => {
      const { method, path, json } = askOf(operationId)
      return Object.keys(Object(json)).flatMap((member) =>
        [...hostileTexts, 1e308, -1, null, [], {}, [[]], [null]].map((value, i) => ({
          name: `${operationId} with ${member} ${i}`,
          ask: { method, path, json: { ...Object(json), [member]: value } },
          mustRefuse: false,
        })),
      )
    })
}

/** Hostile texts in queries and paths of what only reads. */
function addresses(): BadCase[] {
  return every
    .filter(({ method }) => method === 'GET')
    .flatMap(({ operationId, path }) =>
      hostileEncodings.flatMap((text, i) => {
        const { path: good } = askOf(operationId)
        const names = ['cursor', 'limit', 'query', 'state', 'code', 'sha', 'from', 'shard']
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

function reports(): BadCase[] {
  const { method, path } = askOf('uploadTestReport')
  return listBadReports().map(({ what, ...sent }) => ({
    name: what,
    ask: { method, path, ...sent },
    mustRefuse: true,
  }))
}

/** Sends the cases, eight at a time, and says what is wrong with the answers. */
async function run(client: Client, cases: readonly BadCase[], token: string) {
  const faults: string[] = []
  const statuses: Record<number, number> = {}
  const left = cases.values()
  const work = async () => {
    for (const { name, ask, mustRefuse } of left) {
      const headers = { ...ask.headers, ...bearer(token) }
      const send = () => client.send({ ...ask, headers }).catch(() => undefined)
      // The server may close the connection while it refuses 25 MB, before the rejection is read. A second attempt
      // tells.
      const answer = (await send()) ?? (await send())
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
    const cases = [...bodies(), ...addresses()]
    const before = await hashDatabase(world.proof)
    const { faults, statuses } = await run(api, cases, world.proof.bootstrapToken)
    console.log(`${cases.length} cases: ${JSON.stringify(statuses)}`)
    expect(faults.slice(0, 10)).toEqual([])
    expect(changedTables(before, await hashDatabase(world.proof))).toEqual([])
    expect(cases.length).toBeGreaterThan(1_000)
  })

  it('in reports that are bombs is refused, and leaves no result: only that a part of the run is missing', async () => {
    const before = await hashDatabase(world.proof)
    const { faults } = await run(api, reports(), world.proof.bootstrapToken)
    expect(faults).toEqual([])
    const changed = changedTables(before, await hashDatabase(world.proof))
    expect(changed.toSorted()).toEqual(['test_reports', 'test_runs'])
    const passed = await world.proof.asOwner(
      `select from test_runs where report_notes <> '{}' and state = 'passed'`,
    )
    expect(passed).toEqual([])
  })

  it('is no error of ours in any member, also where it is accepted', async () => {
    const cases = members()
    const { faults, statuses } = await run(
      api,
      cases,
      own.credentials.m2m.headers['authorization']?.slice(7) ?? '',
    )
    console.log(`${cases.length} cases: ${JSON.stringify(statuses)}`)
    expect(faults.slice(0, 10)).toEqual([])
    expect(cases.length).toBeGreaterThan(1_000)
    expect((await fetch(`${world.proof.current().apiUrl}/healthz`)).status).toBe(200)
  })

  it('control: a service without defences fails', async () => {
    const naive = await openNaiveService()
    const client = createClient(naive.url)
    const before = await naive.readState()
    const { faults } = await run(client, [...bodies(), ...reports()], 'token')
    client.close()
    expect(await naive.readState()).not.toBe(before)
    await naive.close()
    const found = new Set(faults.map((fault) => fault.split(':')[0]))
    expect([...found]).toEqual(expect.arrayContaining(['server error', 'no problem', 'accepted']))
  })
})
