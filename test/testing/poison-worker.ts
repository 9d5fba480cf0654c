/**
 * A process that does the jobs of one queue, of which one ends it, and says so on its output: `ready`, `try <n>`, `done <n>`,
 * `failed <n> <cause> <attempts>`.
 *
 * `node poison-worker.ts <database url> <queue as JSON>`
 */
import { createJobs } from '../../packages/server/src/jobs/create-jobs.ts'
import type { QueueDefinition } from '../../packages/server/src/jobs/queue.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import { createLog } from '../../packages/server/src/telemetry/log.ts'

const [databaseUrl = '', text = ''] = process.argv.slice(2)
const queue: QueueDefinition<string> = JSON.parse(text)
const log = createLog({ level: 'error' })
const store = await openStore({ source: { databaseUrl }, log })
const jobs = await createJobs({
  target: store.target,
  queues: [queue],
  log,
  worker: true,
  isAlone: true,
  superviseSeconds: 1,
})
const say = (line: string) => void process.stdout.write(`${line}\n`)

await jobs.workFailed(async ({ data, cause, attempts }) =>
  say(`failed ${Object(data).n} ${cause} ${attempts}`),
)
await jobs.work(queue.name, async ({ data }) => {
  const { n, isPoison } = Object(data)
  say(`try ${n}`)
  if (isPoison === true) process.kill(process.pid, 'SIGKILL')
  say(`done ${n}`)
})
store.onAnnounce('jobs', () => jobs.wake())
say('ready')
