// P6: webhooks that are checked and durable before they are answered, beside Probot with a listener that stores them in PostgreSQL.
import { createHmac, randomBytes } from 'node:crypto'
import { readWebhookSamples } from '../packages/server/src/providers/github/testing/webhook-samples.ts'
import { startChild, type Child } from './child.ts'
import { compete, measureProcesses, medians, ratios, reach, renderRatio } from './compete.ts'
import { runLoad } from './load.ts'
import { openOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { recordResult } from './record.ts'

const connections = 16
/** Example: `node … bench/webhook-intake.ts 2 1` for a look. */
const rounds = Number(process.argv[2] ?? 9)
const seconds = Number(process.argv[3] ?? 2)
const secret = randomBytes(32).toString('base64url')

const sample = readWebhookSamples().find(({ event }) => event === 'deployment_status')
const body = JSON.stringify(sample?.payload)
const hex = createHmac('sha256', secret).update(body).digest('hex')
const headers = {
  'content-type': 'application/json',
  'x-github-event': 'deployment_status',
  'x-hub-signature-256': `sha256=${hex}`,
}

type Kind = 'signalbox' | 'bare' | 'probot'

/** Starts an intake, and a PostgreSQL of its own with its usual durability where it stores. */
async function open(kind: Kind) {
  const database = kind === 'bare' ? undefined : await openOwnPostgres()
  opened.push(database)
  const script = kind === 'probot' ? './probot-server.ts' : './webhook-server.ts'
  const child = startChild(script, { core: 0, args: [kind, secret, database?.url ?? ''] })
  children.push(child)
  const { port } = await child.next<{ port: number }>()
  const request = { path: '/webhooks/codehost', headers, body }
  let answers = 0
  return {
    /** Counts the processor time of its database as well. */
    run: async () => {
      const result = await measureProcesses([child.pid, database?.pid ?? []].flat(), () =>
        runLoad({
          port,
          requests: [request],
          connections,
          seconds,
          core: 1,
          numberedBy: 'x-github-delivery',
        }),
      )
      answers += result.answers
      return result
    },
    /** Throws unless every webhook that was answered is stored, with its job. */
    checkStored: async () => {
      const counted = child.next<{ stored: number }>()
      child.send('count')
      const { stored } = await counted
      if (stored !== answers) throw new Error(`${kind}: ${answers} answers, ${stored} stored`)
      return stored
    },
  }
}

const opened: (OwnPostgres | undefined)[] = []
const children: Child[] = []
try {
  const signalbox = await open('signalbox')
  const probot = await open('probot')
  const bare = await open('bare')
  const results = await compete(rounds, {
    probot: probot.run,
    signalbox: signalbox.run,
    bare: bare.run,
  })
  const ratio = ratios(results.signalbox, results.probot)
  recordResult({
    figure: 'P6',
    what: `webhooks of ${Math.round(Buffer.byteLength(body) / 1000)} kB, checked and durable before the answer, on ${connections} connections`,
    reach:
      '>= 1.5 of the requests/s of Probot 14 and of its answers per processor second, PostgreSQL included, whose listener stores the webhook before the answer',
    reached: reach(1.5, ratio),
    found: `${renderRatio(ratio)}, p99 ${ratio.p99}x`,
    measured: {
      setup: { connections, rounds, seconds },
      ratio,
      stored: { signalbox: await signalbox.checkStored(), probot: await probot.checkStored() },
      medians: medians(results),
      rounds: results,
    },
    remark:
      'Probot’s listener inserts the body into a table of the same PostgreSQL, one row in one transaction. Signalbox adds the job, the ids by which webhooks are ordered, and the packed body. Bound by processor time of the one core that each server has; the database shares the other one with the load generator. Of a request two thirds are the server’s: a fifth of that goes into packing the body, a sixth into reading the ids by which webhooks are ordered, a tenth into the signature. One third is the database’s: two fifths of that go into the job, whose row has two foreign keys and twelve indexes. Tried: bodies that PostgreSQL packs (300 µs of its time for each, instead of 50) or that nobody packs (130 µs, and six times as much to write ahead), packing with deflate and Zstandard, the whole batch by one prepared statement, its jobs sent with the commit without waiting, a connection of its own, one announcement for a flood instead of one for each batch. Not tried: several connections, which would lose the order of a repository.',
  })
} finally {
  for (const child of children) await child.stop()
  for (const database of opened) await database?.close()
}
