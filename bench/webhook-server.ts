import { createServer, type IncomingMessage } from 'node:http'
import { createHttpServer } from '../packages/server/src/http/http-server.ts'
import { toNodeListener } from '../packages/server/src/http/node-listener.ts'
import { createTestRouter } from '../packages/server/src/http/testing/test-router.ts'
import { inboxQueue } from '../packages/server/src/inbox/queue.ts'
import { mountInbox } from '../packages/server/src/inbox/routes.ts'
import { createDeliveryStore } from '../packages/server/src/inbox/store-deliveries.ts'
import { createJobs } from '../packages/server/src/jobs/create-jobs.ts'
import { githubWebhooks } from '../packages/server/src/providers/github/webhooks.ts'
import { silentLog } from '../packages/server/src/store/log.ts'
import { openStore } from '../packages/server/src/store/open-store.ts'

/**
 * An intake of webhooks in a process of its own: `signalbox` is the real one, and nobody works on what it stores; `bare` is
 * node:http that checks the signature and stores nothing. Started with one of the two, the secret and the address of a
 * database as arguments; says on one line where it listens. A line on its standard
 * input asks how many webhooks are stored.
 */
const [, , kind = '', secret = '', databaseUrl = ''] = process.argv
const now = () => new Date()
const secrets = () => [secret]

async function openSignalbox(): Promise<{ port: number; count: () => Promise<number> }> {
  const store = await openStore({ source: { databaseUrl }, log: silentLog })
  const queues = [inboxQueue]
  const jobs = await createJobs({ target: store.target, queues, log: silentLog, worker: false })
  const router = createTestRouter({ checkAnswers: false })
  mountInbox(router, {
    store,
    jobs,
    deliveries: createDeliveryStore({ store, jobs }),
    secretsOf: secrets,
    findConnection: () => Promise.resolve(undefined),
    now,
  })
  const listener = toNodeListener(router.build())
  const server = createHttpServer({ listener, metrics: { recordRefusedConnection() {} }, now })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const text = `select count(*)::int as stored, (select count(*)::int from pgboss.job where name = 'inbox.process') as jobs
    from received_webhooks`
  return {
    port: Number(new URL(url).port),
    count: async () => {
      const [row] = await store.maintenance((tx) =>
        tx.query<{ stored: number; jobs: number }>({ name: 'count-stored', text, values: [] }),
      )
      return Math.min(row?.stored ?? 0, row?.jobs ?? 0)
    },
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

function openBare(): Promise<{ port: number; count: () => Promise<number> }> {
  let count = 0
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const header = (name: string) => request.headers[name]?.toString()
      const claimed = githubWebhooks.readClaim(header, now())
      const isGenuine = claimed?.isVerifiedBy([secret], body) === true
      if (isGenuine) count += 1
      response.writeHead(isGenuine ? 202 : 401).end()
      return isGenuine
    })
  })
  return new Promise((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      resolve({ port, count: () => Promise.resolve(count) })
    })
  })
}

const intake = kind === 'bare' ? await openBare() : await openSignalbox()
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
say({ port: intake.port })
process.stdin.on('data', () => {
  void intake.count().then((stored) => say({ stored }))
})
