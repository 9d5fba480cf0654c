// P13: lists and details with a million deployments and a hundred thousand versions, beside the same with a thousand and as many rows.
import { createHash } from 'node:crypto'
import { createClient, type Client } from '../test/testing/http.ts'
import { createMaker, type Maker } from '../test/testing/organization.ts'
import { openProofService, type ProofService } from '../test/testing/proof-service.ts'
import {
  branches,
  deploymentId,
  deploymentsSql,
  detailedEvery,
  versionsSql,
} from './history-sql.ts'
import { percentile, recordResult } from './record.ts'

/** Of each query and size, taking turns. Example: `node … bench/long-history.ts 50` for a look. */
const rounds = Number(process.argv[2] ?? 300)
const versionsEach = 99
const keys = 20

interface Size {
  readonly deployments: number
  /** Of configuration: each schema in each environment has a hundred versions. */
  readonly schemas: number
  readonly environments: number
}

const small: Size = { deployments: 1_000, schemas: 2, environments: 5 }
const large: Size = { deployments: 1_000_000, schemas: 20, environments: 50 }

interface History {
  readonly size: Size
  readonly proof: ProofService
  readonly client: Client
  readonly maker: Maker
  /** The path of its organization. */
  readonly base: string
  readonly environmentIds: readonly string[]
  readonly schemaIds: readonly string[]
}

async function openHistory(size: Size): Promise<History> {
  const proof = await openProofService({ entry: 'built' })
  const client = createClient(proof.current().apiUrl)
  const maker = createMaker(client, proof.bootstrapToken)
  const { id: orgId } = await maker.organization('Acme')
  const environmentIds: string[] = []
  for (let n = 0; n < size.environments; n += 1) {
    environmentIds.push((await maker.environment(orgId, { name: `env-${n}` })).id)
  }
  const schema = Object.fromEntries(
    Array.from({ length: keys }, (_, n) => [
      `key${n}`,
      { type: 'string', tier: 'public', default: '' },
    ]),
  )
  const schemaIds: string[] = []
  for (let n = 0; n < size.schemas; n += 1) {
    schemaIds.push((await maker.schema(orgId, { name: `schema-${n}`, schema })).id)
  }
  for (const sql of deploymentsSql) {
    await proof.asOwner(sql, [orgId, environmentIds.slice(0, 5), size.deployments])
  }
  for (const sql of versionsSql) await proof.asOwner(sql, [orgId, versionsEach])
  // As autovacuum does some time after.
  await proof.asOwner('vacuum analyze')
  return {
    size,
    proof,
    client,
    maker,
    base: `/organizations/${orgId}`,
    environmentIds,
    schemaIds,
  }
}

interface Page {
  readonly items: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

type Query = (history: History, turn: number) => Promise<string> | string

const minuteMs = 60_000
const random = (below: number) => Math.floor(Math.random() * below)
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString()
const one = <T>(items: readonly T[], turn: number): T => {
  const item = items[turn % items.length]
  if (item === undefined) throw new Error('There is none')
  return item
}
const list = (query: string): Query => {
  return ({ base }) => `${base}/deployments?${query}`
}
const shaOf = (n: number) => createHash('sha256').update(String(n)).digest('hex')

/** Reads a page in order to ask for what follows from it. */
const page = ({ maker, base }: History, path: string) => maker.call<Page>(`GET ${base}/${path}`)

const queries: Readonly<Record<string, Query>> = {
  deployments: list(''),
  'by environment': ({ base, environmentIds }, turn) =>
    `${base}/deployments?environmentId=${one(environmentIds.slice(0, 5), turn)}`,
  'by branch': (history, turn) => list(`branch=feature-${(turn * 3) % branches}`)(history, turn),
  'by the beginning of a commit': (history, turn) =>
    list(`sha=${shaOf(1 + random(history.size.deployments)).slice(0, 8)}`)(history, turn),
  'by state': list('state=failure'),
  'by a rare state': list('state=error'),
  'by issue': (history, turn) =>
    list(`issueKey=ABC-${1 + random(history.size.deployments / 10 - 1)}`)(history, turn),
  'by an issue of one in twenty': list('issueKey=OPS-1'),
  'of some hours': (history, turn) => {
    const minutes = random(history.size.deployments - 200)
    return list(`from=${minutesAgo(minutes + 200)}&to=${minutesAgo(minutes)}`)(history, turn)
  },
  'by environment and state': ({ base, environmentIds }, turn) =>
    `${base}/deployments?environmentId=${one(environmentIds.slice(0, 5), turn)}&state=failure`,
  'after a deep cursor': async (history, turn) => {
    const to = minutesAgo(Math.floor(history.size.deployments * (0.2 + Math.random() * 0.7)))
    const { nextCursor } = await page(history, `deployments?to=${to}&limit=1`)
    return list(`cursor=${encodeURIComponent(nextCursor ?? '')}`)(history, turn)
  },
  'one deployment': ({ base, size }) => {
    const n = 1 + random(size.deployments / detailedEvery) * detailedEvery
    return `${base}/deployments/${deploymentId(n)}`
  },
  versions: ({ base, schemaIds, environmentIds }, turn) =>
    `${base}/config-versions?schemaId=${one(schemaIds, turn)}&environmentId=${one(environmentIds, turn)}`,
  'one version': async (history, turn) => {
    const { items } = await page(history, versionsOf(history, turn))
    return `${history.base}/config-versions/${one(items, turn).id}`
  },
  'difference of two versions': async (history, turn) => {
    const { items } = await page(history, versionsOf(history, turn))
    const [from, to] = [one(items, turn), one(items, turn + 7)]
    return `${history.base}/config-versions/${from.id}?against=${to.id}`
  },
}

function versionsOf({ schemaIds, environmentIds }: History, turn: number): string {
  return `config-versions?schemaId=${one(schemaIds, turn)}&environmentId=${one(environmentIds, turn)}`
}

/** Returns how long an answer takes, in milliseconds, and how many rows it has, if it is a list. */
async function ask(history: History, path: string) {
  const headers = { authorization: `Bearer ${history.proof.bootstrapToken}` }
  const answer = await history.client.send({ method: 'GET', path, headers })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.bytes.toString()}`)
  const { items }: Partial<Page> = JSON.parse(answer.bytes.toString())
  return { tookMs: answer.tookMs, rows: items?.length }
}

/** Measures one answer of each history, in milliseconds. A list has as many rows in all of them as the first one has. */
async function time(histories: readonly History[], query: Query, turn: number): Promise<number[]> {
  const paths = await Promise.all(histories.map(async (history) => query(history, turn)))
  const { rows } = await ask(one(histories, 0), one(paths, 0))
  const limit = rows === undefined ? '' : `&limit=${Math.max(1, rows)}`
  const times: number[] = []
  for (const [nth, history] of histories.entries()) {
    const path = `${paths[nth]}${limit}`
    const answered = await ask(history, path)
    if (answered.rows !== rows) throw new Error(`${path}: ${answered.rows} rows, not ${rows}`)
    times.push(answered.tookMs)
  }
  return times
}

/** PostgreSQL decides on a plan for good after five, and everything else is warm by then. */
const warmUp = 20

async function compare(histories: readonly History[], query: Query) {
  const times: number[][] = histories.map(() => [])
  for (let turn = 0; turn < rounds + warmUp; turn += 1) {
    const took = await time(histories, query, turn)
    if (turn >= warmUp) took.forEach((tookMs, nth) => times[nth]?.push(tookMs))
  }
  const at = (share: number) => times.map((each) => Number(percentile(each, share).toFixed(2)))
  const [smallMs = Number.NaN, largeMs = Number.NaN] = at(0.95)
  return { p50Ms: at(0.5), p95Ms: at(0.95), ratio: Number((largeMs / smallMs).toFixed(2)) }
}

const histories: History[] = []
try {
  for (const size of [small, large]) histories.push(await openHistory(size))
  const measured: Record<string, Awaited<ReturnType<typeof compare>>> = {}
  for (const [name, query] of Object.entries(queries)) {
    measured[name] = await compare(histories, query)
    console.error(`${name}: ${measured[name].ratio}x`)
  }
  const ranked = Object.entries(measured).toSorted(([, a], [, b]) => b.ratio - a.ratio)
  const [worst, { ratio }] = one(ranked, 0)
  recordResult({
    figure: 'P13',
    what: 'lists and details with 1,000,000 deployments and 100,000 versions of configuration',
    reach: 'p95 <= 2x of the same queries at 1,000, for as many rows of the answer',
    found: `at most ${ratio}x (${worst}) in ${ranked.length} queries`,
    reached: ratio <= 2,
    measured: { rounds, sizes: [small, large], ...measured },
  })
} finally {
  for (const { proof, client } of histories) {
    client.close()
    await proof.close()
  }
}
