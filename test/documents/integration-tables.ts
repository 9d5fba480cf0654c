import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slackCodes } from '../../packages/server/src/providers/slack/errors.ts'
import { judgeResult } from '../../packages/server/src/test-runs/runs/judge-result.ts'
import { newTestRun } from '../../packages/server/src/test-runs/runs/test-run.ts'
import { root } from '../architecture/source-files.ts'

const src = join(root, 'packages/server/src')

/** Lists the texts that the guide to integrations must contain, because the product shows them to people. */
export function listGuidedTexts(): string[] {
  return [...chatCodes(), ...callbackCodes(), ...warnings()]
}

function chatCodes(): string[] {
  return slackCodes
    .filter((code) => !code.startsWith('restricted_action_'))
    .map((code) => `\`${code}\``)
}

/** The keys of the table of pages: a type leaves nothing behind that could be asked. */
function callbackCodes(): string[] {
  const text = readFileSync(join(src, 'integrations/connect/callback-page.ts'), 'utf8')
  return [...text.matchAll(/^ {2}(\w+): \[$/gm)].map(([, code = '']) => `| \`${code}\` |`)
}

/** Says how each warning begins, before what differs from run to run. */
function warnings(): string[] {
  const run = newTestRun({ id: 'run_1', name: 'e2e', createdAt: new Date(0) })
  const doubtful = [
    { ...run, deployedSha: 'a'.repeat(40), testedSha: 'b'.repeat(40) },
    { ...run, contaminatedBy: 'dep_1' },
    { ...run, reportOutcome: 'passed', workflowOutcome: 'failed' },
    { ...run, reportOutcome: 'failed', workflowOutcome: 'passed' },
    { ...run, state: 'timed_out' },
    { ...run, stateReason: 'not_started' },
    { ...run, state: 'unknown' },
  ] as const
  return doubtful.flatMap((of) => judgeResult(of).warnings.map((text) => text.slice(0, 17)))
}
