/**
 * Measures, and writes each result to `bench/results/` with the hash of what it measured.
 *
 *     npm run bench                     names the benches
 *     npm run bench -- start-time       runs the named ones against the service as it is now, which is built first
 *     npm run bench -- peers            installs other products, and runs all benches of that folder beside them
 *     npm run bench -- --all            runs all except for those, in less than 40 minutes on two cores
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createMeasuredSources } from '../bench/measured-code.ts'
import { codeVariable } from '../bench/record.ts'
import { runBenches } from '../bench/run-benches.ts'
import { buildDashboard } from './build-dashboard.ts'
import { runCommand } from './check/run-command.ts'
import { isNewerThan } from './is-newer-than.ts'

const root = join(import.meta.dirname, '..')
const limits = { eachSeconds: 15 * 60, allSeconds: 40 * 60 }

/** Takes longest by far, so it comes last: where time runs out, it alone is cut short. */
const longest = 'growth'

/** Names the folder of those that run beside other products, which have a lockfile of their own. */
const peers = 'peers/'

/** Lists the files that record a figure; the others are parts of those. */
const all = globSync('{*,peers/*}.ts', {
  cwd: join(root, 'bench'),
  exclude: ['*.test.ts', 'peers/beside.ts'],
})
  .filter((file) =>
    /^ *record(?:Result|Comparison)\(/m.test(readFileSync(join(root, 'bench', file), 'utf8')),
  )
  .map((file) => file.slice(0, -3))
  .sort()
  .sort((one, other) => Number(one === longest) - Number(other === longest))

function installPeers(): Promise<boolean> {
  const folder = join(root, 'bench', peers)
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (isNewerThan(installed, [join(folder, 'package-lock.json')])) return Promise.resolve(true)
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  return runCommand('npm', args, 10 * 60)
}

async function measure(names: readonly string[]): Promise<boolean> {
  const isBuilt =
    (await runCommand('tsc', ['-b'], 10 * 60)) &&
    buildDashboard() === 0 &&
    (!names.some((name) => name.startsWith(peers)) || (await installPeers()))
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
const find = (name: string) => all.filter((one) => one === name || one.startsWith(`${name}/`))
const unknown = positionals.filter((name) => find(name).length === 0)
const wanted =
  values.all === true ? all.filter((name) => !name.startsWith(peers)) : positionals.flatMap(find)
if (wanted.length === 0 || unknown.length > 0) {
  for (const name of unknown) console.error(`There is no bench ${name}.`)
  console.error(`Name one of these, or --all: ${all.join(', ')}`)
  process.exitCode = 1
} else {
  process.exitCode = (await measure(wanted)) ? 0 : 1
}
