/**
 * Measures: every file of `bench/` that records a result, one after the other, against the built service.
 * `npm run bench -- start-time` runs the named ones. Results are written to `bench/results/`.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildDashboard } from './build-dashboard.ts'
import { runCommand } from './check/run-command.ts'

const bench = join(import.meta.dirname, '../bench')
const wanted = process.argv.slice(2)
const limitMs = 15 * 60_000

const files = globSync('*.ts', { cwd: bench })
  .filter((file) => readFileSync(join(bench, file), 'utf8').includes('recordResult('))
  .filter((file) => file !== 'record.ts')
  .filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.ts')))
  .sort()

const outcomes: boolean[] = [await runCommand('tsc', ['-b'], limitMs), buildDashboard() === 0]
for (const file of files) {
  console.log(`\n== ${file}`)
  outcomes.push(
    await runCommand('node', ['--conditions=@signalbox/source', join(bench, file)], limitMs),
  )
}
process.exitCode = outcomes.every(Boolean) && files.length > 0 ? 0 : 1
