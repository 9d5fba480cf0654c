/**
 * Runs every check, fast ones first, and stops at the first that fails. The last line of the output is
 * `N passed, N failed`, where a step without tests of its own counts as one.
 *
 * `node scripts/check.ts` runs the checks, `… proof` the long proofs, `… all` both; `… only <step> …` the named steps.
 */
import { rmSync } from 'node:fs'
import { checkCache } from './check/run-command.ts'
import { runSteps } from './check/run-steps.ts'
import { checkSteps, proofSteps, type Step } from './check/steps.ts'

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

rmSync(checkCache, { recursive: true, force: true })
const { passed, failed } = await runSteps(stepsFor(process.argv.slice(2)))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
