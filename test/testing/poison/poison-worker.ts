/**
 * A process that does the jobs of one queue, each as its data says, and says so on its output: `ready`, `try <kind> <n>`.
 *
 * `node poison-worker.ts <database url> <queue> <places> [mended]`: mended, every job ends.
 */
import { workFailedJobs } from '../../../packages/server/src/failed-jobs/jobs.ts'
import { createJobs } from '../../../packages/server/src/jobs/create-jobs.ts'
import { openStore } from '../../../packages/server/src/store/open-store.ts'
import { createLog } from '../../../packages/server/src/telemetry/log.ts'
import { createMetrics } from '../../../packages/server/src/telemetry/metrics.ts'
import { patientQueue, poisonQueue } from './poison-queue.ts'

const [databaseUrl = '', name = '', places = '', mended] = process.argv.slice(2)
const queue = name === poisonQueue.name ? poisonQueue.name : patientQueue.name
const log = createLog({ level: 'error' })
const store = await openStore({ source: { databaseUrl }, log })
const jobs = await createJobs({
  target: store.target,
  queues: [poisonQueue, patientQueue],
  log,
  worker: true,
  superviseSeconds: 1,
})
const metrics = createMetrics({ version: '0.0.0' })
const say = (text: string) => void process.stdout.write(`${text}\n`)

const handlers: Readonly<Record<string, () => Promise<void>>> = {
  throws: () => Promise.reject(new Error('always')),
  hangs: () => new Promise(() => {}),
  async crashes() {
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  },
}

await workFailedJobs(jobs, { store, log, metrics, now: () => new Date() })
await jobs.work(
  queue,
  async ({ data }) => {
    const { kind, n } = Object(data)
    say(`try ${kind} ${n}`)
    if (mended === undefined) await handlers[kind]?.()
  },
  { concurrency: Number(places) },
)
store.onAnnounce('jobs', () => jobs.wake())
say('ready')
