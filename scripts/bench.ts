/**
 * Measures, and writes each result to `bench/results/` with the hash of what it measured.
 *
 *     npm run bench                     names the benches
 *     npm run bench -- start-time       runs the named ones against the service as it is now, which is built first
 *     npm run bench -- --all            runs all of them, in less than 40 minutes on two cores
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createMeasuredSources } from '../bench/measured-code.ts'
import { codeVariable } from '../bench/record.ts'
import { runBenches } from '../bench/run-benches.ts'
import { buildDashboard } from './build-dashboard.ts'
import { runCommand } from './check/run-command.ts'

const root = join(import.meta.dirname, '..')
const limits = { eachSeconds: 15 * 60, allSeconds: 40 * 60 }

/** Takes longest by far, so it comes last: where time runs out, it alone is cut short. */
const longest = 'growth'

/** Lists the files that record a figure; the others are parts of those. */
const all = globSync('*.ts', { cwd: join(root, 'bench'), exclude: ['*.test.ts'] })
  .filter((file) => /^ *recordResult\(/m.test(readFileSync(join(root, 'bench', file), 'utf8')))
  .map((file) => basename(file, '.ts'))
  .sort()
  .sort((one, other) => Number(one === longest) - Number(other === longest))

async function measure(names: readonly string[]): Promise<boolean> {
  const isBuilt = (await runCommand('tsc', ['-b'], 10 * 60)) && buildDashboard() === 0
  if (!isBuilt) return false
  const sources = createMeasuredSources(root)
  const { measured } = await runBenches(names, limits, (name, limitSeconds) => {
    const bench = `bench/${name}.ts`
    process.env[codeVariable] = sources.hash(bench)
    return runCommand('node', ['--conditions=@signalbox/source', bench], limitSeconds)
  })
  return measured.length === names.length
}

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' } },
  allowPositionals: true,
})
const wanted = values.all === true ? all : positionals
const unknown = wanted.filter((name) => !all.includes(name))
if (wanted.length === 0 || unknown.length > 0) {
  for (const name of unknown) console.error(`There is no bench ${name}.`)
  console.error(`Name one of these, or --all: ${all.join(', ')}`)
  process.exitCode = 1
} else {
  process.exitCode = (await measure(wanted)) ? 0 : 1
}
