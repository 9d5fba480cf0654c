// P9: how long `signalbox start` takes until it is ready, and what it holds in memory when idle.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startService } from '../e2e/start-service.ts'
import { residentMiB } from './child.ts'
import { percentile, recordResult } from './record.ts'

const laterStarts = 7

/** Keeps V8's default while the service starts, which is what it does without `delivery/fast/hold-young-generation.ts`. */
const plainly = [
  "import v8 from 'node:v8'",
  "import { syncBuiltinESMExports } from 'node:module'",
  'v8.setFlagsFromString = () => undefined',
  'syncBuiltinESMExports()',
].join(';')

const directory = await mkdtemp(join(tmpdir(), 'signalbox-start-'))
try {
  // PostgreSQL runs as another user when this is run by root, and has to get through.
  await chmod(directory, 0o711)
  const env = { SIGNALBOX_DATA_DIR: join(directory, 'data'), SIGNALBOX_LOG_LEVEL: 'warn' }
  const first = await startService({ env, entry: 'built' })
  await first.stop()
  const laterMs: number[] = []
  const idleMiB = async (more: Readonly<Record<string, string>> = {}) => {
    const service = await startService({ env: { ...env, ...more }, entry: 'built' })
    await delay(10_000)
    const resident = residentMiB(service.pid)
    await service.stop()
    return resident
  }
  for (let run = 0; run < laterStarts; run += 1) {
    const service = await startService({ env, entry: 'built' })
    laterMs.push(service.startedInMs)
    console.error(`start ${run + 1} of ${laterStarts}`)
    await service.stop()
  }
  const heldMiB = await idleMiB()
  const options = `--import data:text/javascript,${encodeURIComponent(plainly)}`
  const plainMiB = await idleMiB({ NODE_OPTIONS: options })
  const median = percentile(laterMs, 0.5)
  recordResult({
    figure: 'P9',
    what: 'start of the embedded service until it is ready',
    reach:
      'data directory exists <= 1.2 s; first start <= 3 s; idle RSS of the Node process <= 140 MB',
    found: `${Math.round(median)} ms; first start ${Math.round(first.startedInMs)} ms; ${Math.round(heldMiB * 1.048576)} MB`,
    reached: median <= 1200 && first.startedInMs <= 3000 && heldMiB <= 140 * (1e6 / 2 ** 20),
    measured: {
      firstStartMs: Math.round(first.startedInMs),
      laterStartsMs: laterMs.map(Math.round),
      laterStartMedianMs: Math.round(median),
      idleRssMiB: Math.round(heldMiB),
      idleRssPlainMiB: Math.round(plainMiB),
    },
  })
} finally {
  await rm(directory, { recursive: true, force: true })
}
