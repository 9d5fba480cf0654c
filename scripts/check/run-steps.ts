import { rmSync } from 'node:fs'
import { runCommand } from './run-command.ts'
import type { Step } from './steps.ts'
import { countTests, testReportPath, type Totals } from './test-report.ts'

/** Runs `steps` in order until one fails, and adds up their results. */
export async function runSteps(steps: readonly Step[]): Promise<Totals> {
  let totals: Totals = { passed: 0, failed: 0 }
  const lines: string[] = []
  for (const step of steps) {
    console.log(`\n== ${step.name}`)
    const startedAt = performance.now()
    const result = await runStep(step)
    totals = { passed: totals.passed + result.passed, failed: totals.failed + result.failed }
    const outcome = result.failed === 0 ? 'ok' : 'FAILED'
    const line = `${step.name} ${outcome} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`
    lines.push(line)
    console.log(`== ${line}`)
    if (result.failed > 0) break
  }
  const left = steps.slice(lines.length).map(({ name }) => name)
  if (left.length > 0) lines.push(`not run: ${left.join(', ')}`)
  console.log(`\n${lines.join('\n')}`)
  return totals
}

async function runStep(step: Step): Promise<Totals> {
  rmSync(testReportPath, { force: true })
  for (const [index, command] of step.commands.entries()) {
    const counted = step.tests === true && index === step.commands.length - 1
    const reporters = [
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${testReportPath}`,
    ]
    const [program, ...args] = command
    const ok = await runCommand(
      program,
      counted ? [...args, ...reporters] : args,
      step.limitMinutes * 60_000,
    )
    if (counted) return countTests(ok)
    if (!ok) return { passed: 0, failed: 1 }
  }
  return { passed: 1, failed: 0 }
}
