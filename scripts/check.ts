/**
 * Runs every check, fast ones first, and stops at the first that fails. The last line of the output is
 * `N passed, N failed`, where a step without tests of its own counts as one.
 *
 * `node scripts/check.ts` runs the checks, `… proof` the proofs, `… all` both; `… only <step> …` the named steps.
 * A long step whose inputs are those of its last green run is left out, but not when it is named, at a larger scale, with
 * `--all`, or with `CHECK_ALL=true`.
 * `--scale N` runs N times as many cases, kills and rounds in the proofs as tell a defect from its absence.
 * `CHECK_BUDGET_FACTOR=1.5` gives each step one and a half times its budget, on a slower machine; named steps have ten times
 * theirs.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkCache } from './check/run-command.ts'
import { runSteps } from './check/run-steps.ts'
import { checkSteps, proofSteps, type Step } from './check/steps.ts'

/** Promises how long `… all` takes on two quiet cores, in seconds. */
const halfAnHourSeconds = 1_800

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

function readNumber(name: string, text: string): number {
  const number = Number(text)
  if (number >= 1 && number <= 100) return number
  console.error(`${name} is a number from 1 to 100, not ${text}.`)
  process.exit(2)
}

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, scale: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const scale = readNumber('--scale', values.scale)
// Single steps are run by somebody whose machine does other things as well.
const usualFactor = positionals[0] === 'only' ? '10' : '1'
const budgetFactor = readNumber(
  'CHECK_BUDGET_FACTOR',
  process.env['CHECK_BUDGET_FACTOR'] ?? usualFactor,
)
const runsAll = values.all || process.env['CHECK_ALL'] === 'true'
// Read by `vitest.config.ts`.
process.env['PROOF_SCALE'] = String(scale)
rmSync(checkCache, { recursive: true, force: true })
const promisedSeconds = positionals[0] === 'all' ? halfAnHourSeconds * scale : undefined
const { passed, failed } = await runSteps(stepsFor(positionals), {
  budgetFactor,
  scale,
  keepsGreen: !runsAll && scale === 1 && positionals[0] !== 'only',
  promisedSeconds,
})
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
