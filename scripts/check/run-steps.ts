import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compareInputs, greenRunsFile, readKeptResults, type KeptResults } from './kept-results.ts'
import { startMeter } from './processor-time.ts'
import { keptFilesPath, runCommand } from './run-command.ts'
import type { Step } from './steps.ts'
import {
  countTests,
  listSlowestTests,
  listTestFiles,
  testReportPath,
  type TestTime,
  type Totals,
} from './test-report.ts'

/** Describes what a run of steps may leave out, and what it may cost. */
export interface Allowance {
  /** Leaves out what was green with the same inputs. By default everything runs. */
  readonly keepsGreen?: boolean
  /** Holds the sources and the records of green runs. Default: the repository. */
  readonly root?: string
  /** Ends a step that has not ended by then. It hangs. */
  readonly limitSeconds?: number
  /** Returns the recorded processor seconds of each step, once the steps have ended. By default nothing is compared. */
  readonly recorded?: () => Readonly<Record<string, number>>
}

/** Holds what a run of steps counted, and the processor seconds of each step that ran wholly. */
export interface RunResult extends Totals {
  readonly spent: Readonly<Record<string, number>>
}

/** More failed files than these are no accident, and are not run again. */
const repeatedFiles = 2

/** A check that costs more processor time than so many times the recorded sum fails. */
const growthMax = 1.25

const repository = join(import.meta.dirname, '../..')

/** Holds what a step counted, and how it ended. */
interface EndedStep extends Totals {
  readonly name: string
  readonly line: string
  /** Lists the files that passed only when they ran again. */
  readonly unsteady: readonly string[]
  /** Holds its processor seconds, where it ran wholly and something measured them. */
  readonly spent?: number | undefined
  readonly slowest: readonly TestTime[]
}

/** Runs `steps` in order until one fails, and adds up their results. Fails where they cost much more than is recorded. */
export async function runSteps(
  steps: readonly Step[],
  allowance: Allowance = {},
): Promise<RunResult> {
  const ended: EndedStep[] = []
  const begunAt = performance.now()
  for (const step of steps) {
    console.log(`\n== ${step.name}`)
    const result = await runUnlessGreen(step, allowance)
    ended.push(result)
    console.log(`== ${result.line}`)
    if (result.failed > 0) break
  }
  const left = steps.slice(ended.length).map(({ name }) => name)
  const minutes = ((performance.now() - begunAt) / 60_000).toFixed(1)
  const cost = compareCost(ended, allowance.recorded?.() ?? {})
  const lines = [
    ...ended.map(({ line }) => line),
    left.length > 0 ? `not run: ${left.join(', ')}` : `altogether ${minutes} minutes`,
    ...cost.lines,
    ...ended.flatMap(({ unsteady }) =>
      unsteady.map((file) => `passed only the second time: ${file}`),
    ),
  ]
  console.log(`\n${lines.join('\n')}`)
  const spent = ended.flatMap(({ name, spent }) => (spent === undefined ? [] : [[name, spent]]))
  return {
    passed: ended.reduce((sum, { passed }) => sum + passed, 0),
    failed: ended.reduce((sum, { failed }) => sum + failed, cost.isOver ? 1 : 0),
    spent: Object.fromEntries(spent),
  }
}

/**
 * Compares the processor time of the steps that ran wholly with what is recorded of them. It is the same on a busy machine. Where
 * it is more than `growthMax` of it altogether, names the steps that grew most, and their slowest tests.
 */
function compareCost(ended: readonly EndedStep[], recorded: Readonly<Record<string, number>>) {
  const compared = ended.flatMap(({ name, spent, slowest }) => {
    const before = recorded[name]
    return spent === undefined || before === undefined ? [] : [{ name, spent, before, slowest }]
  })
  if (compared.length === 0) return { isOver: false, lines: [] }
  const spent = compared.reduce((sum, one) => sum + one.spent, 0)
  const before = compared.reduce((sum, one) => sum + one.before, 0)
  const share = `${Math.round((spent / before) * 100)}% of the recorded ${before.toFixed(1)} s`
  const line = `processor time ${spent.toFixed(1)} s, ${share}`
  if (spent <= growthMax * before) return { isOver: false, lines: [line] }
  const grown = compared.toSorted((a, b) => b.spent - b.before - (a.spent - a.before)).slice(0, 3)
  const lines = grown.flatMap((one) => [
    `${one.name} costs ${one.spent.toFixed(1)} s instead of ${one.before.toFixed(1)}`,
    ...one.slowest.map(({ seconds, test }) => `${seconds.toFixed(1).padStart(7)} s  ${test}`),
  ])
  return { isOver: true, lines: [`${line}: the check has grown`, ...lines] }
}

/** Runs a step, but for one whose `inputs` are those of its last green run where these are kept. Records a green run. */
async function runUnlessGreen(step: Step, allowance: Allowance): Promise<EndedStep> {
  const { keepsGreen = false, root = repository } = allowance
  const { name, inputs } = step
  if (inputs === undefined) return runMeasured(step, allowance)
  const { areGreen, record } = compareInputs(inputs, name, root)
  if (areGreen && keepsGreen) {
    const line = `${name} not run: its inputs are those of its last green run (--all runs it)`
    return { name, passed: 0, failed: 0, unsteady: [], slowest: [], line }
  }
  const result = await runMeasured(step, allowance)
  if (result.failed === 0 && !areGreen) {
    record()
    console.log(`Commit ${greenRunsFile}: it says that ${name} was green.`)
  }
  return result
}

/** Runs what of a step was not green with the same inputs. Measures it. */
async function runMeasured(step: Step, allowance: Allowance): Promise<EndedStep> {
  const { keepsGreen = false, root = repository } = allowance
  const kept = hasFilesToKeep(step) ? readKeptResults(step, root) : undefined
  const left = (keepsGreen && kept?.files) || []
  mkdirSync(dirname(keptFilesPath), { recursive: true })
  writeFileSync(keptFilesPath, JSON.stringify(left))
  rmSync(testReportPath, { force: true })
  const startedAt = performance.now()
  const meter = startMeter()
  const result = await runStep(step, allowance.limitSeconds ?? hangsAfterSeconds, { kept, root })
  const spent = meter.stop()
  const seconds = (performance.now() - startedAt) / 1000
  const isGreen = result.failed === 0
  const ended = `${isGreen ? 'ok' : 'FAILED'} in ${seconds.toFixed(1)} s`
  return {
    ...result,
    name: step.name,
    line: `${step.name} ${ended}, ${describeCost(spent, left.length)}`,
    slowest: listSlowestTests(10),
    spent: isGreen && left.length === 0 ? spent : undefined,
  }
}

function describeCost(spent: number | undefined, keptFiles: number): string {
  const note = keptFiles > 0 ? `, ${keptFiles} files kept green (--all runs them)` : ''
  return `processor time ${spent?.toFixed(1) ?? 'unknown'} s${note}`
}

const hasFilesToKeep = ({ tests = false, inputs }: Step) => tests && inputs === undefined

/** Ends a step that takes longer: it hangs. The longest takes nine minutes on two quiet cores. */
const hangsAfterSeconds = 3_600

interface StepResult extends Totals {
  readonly unsteady: readonly string[]
}

interface Kept {
  readonly kept: KeptResults | undefined
  readonly root: string
}

async function runStep(step: Step, limitSeconds: number, kept: Kept): Promise<StepResult> {
  for (const [index, command] of step.commands.entries()) {
    if (step.tests === true && index === step.commands.length - 1) {
      return runTests(step, { command, limitSeconds }, kept)
    }
    const [program, ...args] = command
    const ok = await runCommand(program, args, limitSeconds)
    if (!ok) return { passed: 0, failed: 1, unsteady: [] }
  }
  return { passed: 1, failed: 0, unsteady: [] }
}

interface TestRun {
  readonly command: Step['commands'][number]
  readonly limitSeconds: number
}

async function runTests(
  { repeatsFailed = false }: Step,
  { command, limitSeconds }: TestRun,
  { kept, root }: Kept,
): Promise<StepResult> {
  const first = await countRun(command, limitSeconds)
  const ran = listTestFiles(root)
  const files = ran.filter(({ hasFailed }) => hasFailed).map(({ path }) => path)
  // A run that fails without a failed test says nothing about any.
  if (first.failed === 0 || files.length > 0) kept?.record(ran)
  if (!repeatsFailed || files.length === 0 || files.length > repeatedFiles)
    return { ...first, unsteady: [] }
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
  const options = ['--passWithNoTests', ...reporters]
  return countTests(await runCommand(program, [...args, ...options], limitSeconds))
}
