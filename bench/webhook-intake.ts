// P6: webhooks that are checked and durable before they are answered, beside Probot with a listener that stores them in PostgreSQL.
import { createHmac, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWebhookSamples } from '../packages/server/src/providers/github/testing/webhook-samples.ts'
import { silentLog } from '../packages/server/src/store/log.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { startChild } from './child.ts'
import { loadGenerator, runLoad, type LoadResult } from './load.ts'
import { recordResult } from './record.ts'

const connections = 16
/** Of each of the ten runs. Example: `node … bench/webhook-intake.ts 2` for a look. */
const seconds = Number(process.argv[2] ?? 10)
const secret = randomBytes(32).toString('base64url')

const sample = readWebhookSamples().find(({ event }) => event === 'deployment_status')
const body = JSON.stringify(sample?.payload)
const hex = createHmac('sha256', secret).update(body).digest('hex')
const headers = {
  'content-type': 'application/json',
  'x-github-event': 'deployment_status',
  'x-hub-signature-256': `sha256=${hex}`,
}

interface Measured extends LoadResult {
  /** Webhooks with their jobs in the database afterwards, or the number that was let through. */
  readonly stored: number
}

/** Runs twice and keeps the second: the first one warms it up. */
async function measure(kind: 'signalbox' | 'bare' | 'probot', databaseUrl = ''): Promise<Measured> {
  const script = kind === 'probot' ? './probot-server.ts' : './webhook-server.ts'
  const child = startChild(script, { core: 0, args: [kind, secret, databaseUrl] })
  try {
    const { port } = await child.next<{ port: number }>()
    const load = () =>
      runLoad({
        port,
        requests: [{ path: '/webhooks/codehost', headers }],
        connections,
        seconds,
        core: 1,
        post: { body, numberedBy: 'x-github-delivery' },
      })
    const count = async () => {
      const answer = child.next<{ stored: number }>()
      child.send('count')
      return (await answer).stored
    }
    await load()
    const before = await count()
    const result = await load()
    const stored = (await count()) - before
    const isWhole = result.errors === 0 && stored >= result.requestsPerSecond * seconds * 0.99
    if (!isWhole) throw new Error(`${kind}: ${stored} stored, ${result.errors} wrong answers`)
    return { ...result, stored }
  } finally {
    await child.stop()
  }
}

/** On a PostgreSQL of its own, with its usual durability. */
async function measureStoring(kind: 'signalbox' | 'probot'): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-intake-'))
  await chmod(directory, 0o711)
  const source = { dataDir: directory, searchPath: process.env['PATH'] ?? '' }
  const database = await openDatabase(source, silentLog)
  try {
    const { host = '', user = '', database: name = 'postgres' } = database.target.hosts[0] ?? {}
    const url = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`
    return await measure(kind, url)
  } finally {
    await database.close()
    await rm(directory, { recursive: true, force: true })
  }
}

const bare = await measure('bare')
// Before and after, because a machine has better and worse minutes.
const before = await measureStoring('probot')
const signalbox = await measureStoring('signalbox')
const after = await measureStoring('probot')
const yardstick = (before.requestsPerSecond + after.requestsPerSecond) / 2
const ratio = Number((signalbox.requestsPerSecond / yardstick).toFixed(3))
recordResult({
  figure: 'P6',
  what: `webhooks of ${Math.round(Buffer.byteLength(body) / 1000)} kB, checked and durable before the answer, on ${connections} connections`,
  reach:
    '>= 1.5 of the requests/s of Probot 14, whose listener stores the webhook before the answer',
  reached: ratio >= 1.5,
  found: `${ratio} (${Math.round(signalbox.requestsPerSecond)}/s), p99 ${signalbox.p99Ms.toFixed(1)} ms`,
  measured: { signalbox, probot: { before, after }, bare, ratio, seconds, loadGenerator },
  remark:
    'Probot’s listener inserts the body into a table of the same PostgreSQL, one row in one transaction. Signalbox adds the job, the ids by which webhooks are ordered, and the packed body. Bound by processor time of the one core that each server has; the database shares the other one with the load generator. Of a request about a fifth goes into packing the body, a sixth into reading the ids by which webhooks are ordered, an eighth into the signature. Tried: bodies that PostgreSQL packs (300 µs of its time for each, instead of 50) or that nobody packs (130 µs, and six times as much to write ahead), packing with deflate and Zstandard, the whole batch by one prepared statement, its jobs sent with the commit without waiting, a connection of its own, one announcement for a flood instead of one for each batch. Not tried: several connections, which would lose the order of a repository.',
})
