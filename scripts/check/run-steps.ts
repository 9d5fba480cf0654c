import { rmSync } from 'node:fs'
import { greenRunsFile, hashInputs, readGreenRuns, recordGreenRun } from './green-runs.ts'
import { runCommand } from './run-command.ts'
import type { Step } from './steps.ts'
import {
  countTests,
  listFailedFiles,
  listSlowestTests,
  testReportPath,
  type Totals,
} from './test-report.ts'

/** Describes how long steps may take, as multiples of their budgets. */
export interface Allowance {
  /** For a machine that is slower than two cores of a laptop. */
  readonly budgetFactor?: number
  /** Says how many times as many cases the proofs run. */
  readonly scale?: number
  /** Leaves out steps whose inputs are those of their last green run. By default every step runs. */
  readonly keepsGreen?: boolean
  /** Holds the inputs of the steps and the record of green runs. Default: the repository. */
  readonly root?: string
  /** Promises how long all take on two quiet cores. The output says by how much they missed it, and nothing fails. */
  readonly promisedSeconds?: number | undefined
}

/** More failed files than these are no accident, and are not run again. */
const repeatedFiles = 2

/** Holds the counts of a step, and the files that passed only when they ran again. */
interface StepResult extends Totals {
  readonly unsteady: readonly string[]
}

/** After so many budgets a step hangs, and is ended. */
const hangsAfter = 3

/** Runs `steps` in order until one fails, and adds up their results. A step that outgrows its budget fails. */
export async function runSteps(steps: readonly Step[], allowance: Allowance = {}): Promise<Totals> {
  let totals: Totals = { passed: 0, failed: 0 }
  const lines: string[] = []
  const unsteady: string[] = []
  const begunAt = performance.now()
  for (const step of steps) {
    console.log(`\n== ${step.name}`)
    const result = await runUnlessKept(step, allowance)
    totals = { passed: totals.passed + result.passed, failed: totals.failed + result.failed }
    lines.push(result.line)
    console.log(`== ${result.line}`)
    unsteady.push(...result.unsteady)
    if (result.failed > 0) break
  }
  const left = steps.slice(lines.length).map(({ name }) => name)
  const second = unsteady.map((file) => `passed only the second time: ${file}`)
  const end =
    left.length > 0
      ? [`not run: ${left.join(', ')}`]
      : describeTotal(performance.now() - begunAt, allowance.promisedSeconds)
  console.log(`\n${[...lines, ...end, ...second].join('\n')}`)
  return totals
}

/** Holds what a step counted, and the line that says how it ended. */
interface EndedStep extends StepResult {
  readonly line: string
}

/** Runs a step, but for one whose inputs are those of its last green run where these are kept. Records a green run. */
async function runUnlessKept(step: Step, allowance: Allowance): Promise<EndedStep> {
  const { keepsGreen = false, root } = allowance
  const { name, inputs } = step
  if (inputs === undefined) return runWithinBudget(step, allowance)
  const hash = hashInputs(inputs, root)
  const isRecorded = readGreenRuns(root)[name] === hash
  if (isRecorded && keepsGreen) {
    const line = `${name} not run: its inputs are those of its last green run (--all runs it)`
    return { passed: 0, failed: 0, unsteady: [], line }
  }
  const result = await runWithinBudget(step, allowance)
  if (result.failed === 0 && !isRecorded) {
    recordGreenRun(name, hash, root)
    console.log(`Commit ${greenRunsFile}: it says that ${name} was green.`)
  }
  return result
}

async function runWithinBudget(
  step: Step,
  { budgetFactor = 1, scale = 1 }: Allowance,
): Promise<EndedStep> {
  const budgetSeconds = step.budgetSeconds * budgetFactor * (step.scales === true ? scale : 1)
  const startedAt = performance.now()
  const result = await runStep(step, hangsAfter * budgetSeconds)
  const seconds = (performance.now() - startedAt) / 1000
  const isOver = result.failed === 0 && seconds > budgetSeconds
  if (isOver) reportOutgrown(step, budgetSeconds)
  const failed = result.failed + (isOver ? 1 : 0)
  const outcome = failed === 0 ? 'ok' : 'FAILED'
  const line = `${step.name} ${outcome} in ${seconds.toFixed(1)} of ${budgetSeconds} s`
  return { ...result, failed, line }
}

/**
 * Compares what a whole run took with what it is to take, in a line; in none where nothing is promised. Nothing fails: two
 * machines, or one machine at two times of day, differ by more than the check grows. A step that grew outgrows its budget.
 */
function describeTotal(tookMs: number, promisedSeconds: number | undefined): readonly string[] {
  if (promisedSeconds === undefined) return []
  const seconds = tookMs / 1000
  const share = Math.round((seconds / promisedSeconds) * 100)
  const minutes = (each: number) => (each / 60).toFixed(1)
  const together = `altogether ${minutes(seconds)} minutes, ${share}% of ${minutes(promisedSeconds)}`
  const isMore = share > 100
  return [
    isMore
      ? `${together}: this machine is slower than two quiet cores, or the check has grown`
      : together,
  ]
}

function reportOutgrown({ name, tests }: Step, budgetSeconds: number): void {
  console.error(`${name} takes longer than its budget of ${budgetSeconds} s.`)
  if (tests !== true) return
  console.error('Its slowest tests:')
  for (const { seconds, test } of listSlowestTests(10)) {
    console.error(`${seconds.toFixed(1).padStart(7)} s  ${test}`)
  }
}

async function runStep(step: Step, limitSeconds: number): Promise<StepResult> {
  for (const [index, command] of step.commands.entries()) {
    if (step.tests === true && index === step.commands.length - 1) {
      return runTests(step, command, limitSeconds)
    }
    const [program, ...args] = command
    const ok = await runCommand(program, args, limitSeconds)
    if (!ok) return { passed: 0, failed: 1, unsteady: [] }
  }
  return { passed: 1, failed: 0, unsteady: [] }
}

async function runTests(
  { repeatsFailed = false }: Step,
  command: Step['commands'][number],
  limitSeconds: number,
): Promise<StepResult> {
  const first = await countRun(command, limitSeconds)
  const files = repeatsFailed && first.failed > 0 ? listFailedFiles() : []
  if (files.length === 0 || files.length > repeatedFiles) return { ...first, unsteady: [] }
  console.log(`\nOnce more: ${files.join(', ')}`)
  const second = await countRun([...command, ...files], limitSeconds)
  if (second.failed > 0) return { ...first, unsteady: [] }
  return { passed: first.passed + first.failed, failed: 0, unsteady: files }
}

async function countRun(
  [program, ...args]: Step['commands'][number],
  limitSeconds: number,
): Promise<Totals> {
  rmSync(testReportPath, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${testReportPath}`]
  return countTests(await runCommand(program, [...args, ...reporters], limitSeconds))
}
