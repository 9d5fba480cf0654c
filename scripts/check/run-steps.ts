import { rmSync } from 'node:fs'
import { runCommand } from './run-command.ts'
import type { Step } from './steps.ts'
import { countTests, listSlowestTests, testReportPath, type Totals } from './test-report.ts'

/** Describes how long steps may take, as multiples of their budgets. */
export interface Allowance {
  /** For a machine that is slower than two cores of a laptop. */
  readonly budgetFactor?: number
  /** How many times as many cases the proofs run. */
  readonly scale?: number
}

/** After so many budgets a step hangs, and is ended. */
const hangsAfter = 3

/** Runs `steps` in order until one fails, and adds up their results. A step that outgrows its budget fails. */
export async function runSteps(
  steps: readonly Step[],
  { budgetFactor = 1, scale = 1 }: Allowance = {},
): Promise<Totals> {
  let totals: Totals = { passed: 0, failed: 0 }
  const lines: string[] = []
  for (const step of steps) {
    console.log(`\n== ${step.name}`)
    const budgetSeconds = step.budgetSeconds * budgetFactor * (step.scales === true ? scale : 1)
    const startedAt = performance.now()
    const result = await runStep(step, hangsAfter * budgetSeconds)
    const seconds = (performance.now() - startedAt) / 1000
    const isOver = result.failed === 0 && seconds > budgetSeconds
    if (isOver) reportOutgrown(step, budgetSeconds)
    const failed = result.failed + (isOver ? 1 : 0)
    totals = { passed: totals.passed + result.passed, failed: totals.failed + failed }
    const line = `${step.name} ${failed === 0 ? 'ok' : 'FAILED'} in ${seconds.toFixed(1)} of ${budgetSeconds} s`
    lines.push(line)
    console.log(`== ${line}`)
    if (failed > 0) break
  }
  const left = steps.slice(lines.length).map(({ name }) => name)
  if (left.length > 0) lines.push(`not run: ${left.join(', ')}`)
  console.log(`\n${lines.join('\n')}`)
  return totals
}

function reportOutgrown({ name, tests }: Step, budgetSeconds: number): void {
  console.error(`${name} takes longer than its budget of ${budgetSeconds} s.`)
  if (tests !== true) return
  console.error('Its slowest tests:')
  for (const { seconds, test } of listSlowestTests(10)) {
    console.error(`${seconds.toFixed(1).padStart(7)} s  ${test}`)
  }
}

async function runStep(step: Step, limitSeconds: number): Promise<Totals> {
  rmSync(testReportPath, { force: true })
  for (const [index, command] of step.commands.entries()) {
    const counted = step.tests === true && index === step.commands.length - 1
    const reporters = [
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${testReportPath}`,
    ]
    const [program, ...args] = command
    const ok = await runCommand(program, counted ? [...args, ...reporters] : args, limitSeconds)
    if (counted) return countTests(ok)
    if (!ok) return { passed: 0, failed: 1 }
  }
  return { passed: 1, failed: 0 }
}
