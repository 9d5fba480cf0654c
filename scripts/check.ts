/**
 * Runs every check, fast ones first, and stops at the first that fails. The last line of the output is
 * `N passed, N failed`, where a step without tests of its own counts as one.
 *
 * `node scripts/check.ts` runs the checks, `… proof` the proofs, `… all` both; `… only <step> …` the named steps.
 * Leaves out a test file that was green with the same inputs, but not when its step is named, at a larger scale, with `--all`,
 * or with `CHECK_ALL=true`.
 * `--scale N` runs N times as many cases, kills and rounds in the proofs as tell a defect from its absence.
 * A run that costs more than 1.25 times the recorded processor time of its steps fails. `--record` runs everything and records
 * what it costs now: in a clean clone, where nothing is compiled yet.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runSteps } from './check/run-steps.ts'
import { checkSteps, proofSteps, type Step } from './check/steps.ts'
import { measureYardstick } from './check/yardstick.ts'

/** Maps each step to what it costs when all of it runs, as a multiple of the yardstick. */
const costFile = join(import.meta.dirname, 'check/costs.json')

function stepsFor([what = 'check', ...names]: readonly string[]): readonly Step[] {
  const all = [...checkSteps, ...proofSteps]
  if (what === 'all') return all
  if (what === 'check') return checkSteps
  if (what === 'proof') return [...checkSteps.filter(({ builds }) => builds), ...proofSteps]
  const unknown = names.filter((name) => !all.some((step) => step.name === name))
  if (what !== 'only' || names.length === 0 || unknown.length > 0) {
    console.error(`Say check, proof, all, or only and: ${all.map(({ name }) => name).join(', ')}.`)
    process.exit(2)
  }
  return all.filter(({ name }) => names.includes(name))
}

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    scale: { type: 'string', default: '1' },
  },
  allowPositionals: true,
})
const scale = Number(values.scale)
if (!(scale >= 1 && scale <= 100)) {
  console.error(`--scale is a number from 1 to 100, not ${values.scale}.`)
  process.exit(2)
}
const runsAll = values.all || values.record || process.env['CHECK_ALL'] === 'true'
// Read by `vitest.config.ts`.
process.env['PROOF_SCALE'] = String(scale)
const recorded: Readonly<Record<string, number>> = JSON.parse(readFileSync(costFile, 'utf8'))
const yardstick = measureYardstick()
// Other work makes the same instructions dearer, at some times more than at others.
const slowest = () => Math.max(yardstick, measureYardstick())
const multiply = (costs: typeof recorded, factor: number) =>
  Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, cost * factor]))
const { passed, failed, spent } = await runSteps(stepsFor(positionals), {
  keepsGreen: !runsAll && scale === 1 && positionals[0] !== 'only',
  // A longer proof costs more.
  recorded: values.record || scale > 1 ? () => ({}) : () => multiply(recorded, slowest()),
})
if (values.record && failed === 0) {
  const costs = Object.entries(multiply(spent, 1 / yardstick))
  const rounded = Object.fromEntries(costs.map(([name, cost]) => [name, Math.round(cost)]))
  writeFileSync(costFile, `${JSON.stringify({ ...recorded, ...rounded }, undefined, 2)}\n`)
  console.log(`Recorded ${costs.length} steps, in multiples of a yardstick of ${yardstick} s.`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
