import { defineCommand, type FlagValues } from '../../action.ts'
import { textFlag } from '../../cli-context.ts'
import { awaitDecision, type GateAnswer, type GateQuestion } from './await-decision.ts'
import {
  describeDecision,
  findUncovered,
  type GateDecision,
  listBlocking,
  listWatched,
  nameDecision,
  toDecisionPage,
} from './describe-decision.ts'
import { openSender, sendsAsPipeline } from '../../pipeline/open-pipeline.ts'
import { readCommit } from '../../pipeline/read-commit.ts'
import { readPipeline } from '../../pipeline/read-pipeline.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { parseDuration } from '../../terminal/times.ts'

const gateFlags = {
  environment: textFlag('name', 'Environment that is deployed to: its name there, or at Signalbox'),
  wait: {
    kind: 'parsed',
    parse: parseDuration,
    inferEmpty: true,
    optional: true,
    brief: 'Ask again every 5 seconds for so long, such as 30m (default: ask once)',
    placeholder: 'duration',
  },
  ifUnreachable: {
    kind: 'enum',
    values: ['fail', 'pass'],
    optional: true,
    brief: 'Where the server never answers: fail, or let the deployment go on (default fail)',
  },
  run: textFlag('id', 'Run that asks (default: that of the pipeline)'),
  repository: textFlag('name', 'Repository (default: that of the pipeline)'),
  sha: textFlag('commit', 'Commit that is deployed (default: that of the pipeline)'),
  ref: textFlag('name', 'Branch or tag (default: that of the pipeline)'),
} as const

type GateFlags = FlagValues<typeof gateFlags>

/** Limits how long a deployment waits for a first answer, where it goes on without one. */
const longestSilenceMs = 60_000

async function gate(session: Session, flags: GateFlags): Promise<void> {
  const question = await readQuestion(session, flags)
  const { output } = session
  if (flags.dryRun) {
    output.document({ dryRun: true, question })
    output.result(`Would ask whether the deployment to ${question.environment} may go on.`)
    return
  }
  const waitMs = flags.wait ?? 0
  const answer = await session.progress(`Waiting to deploy to ${question.environment}`, () =>
    awaitDecision({
      open: () => openSender(session),
      question,
      deadline: Date.now() + waitMs,
      passAfterMs: flags.ifUnreachable === 'pass' ? Math.min(waitMs, longestSilenceMs) : undefined,
      onAnswer: createReport(session),
      onAway: ({ message }) => output.note(`${output.errorStyles.yellow('!')} ${message}`),
    }),
  )
  if (answer === undefined) {
    output.warn(
      'The server did not answer. The deployment goes on because of --if-unreachable pass.',
    )
    output.document({ decision: null, isReachable: false })
    return
  }
  const { decision } = answer
  const page = pageOf(answer)
  const uncovered = findUncovered(decision)
  if (uncovered?.isDoubtful === true) output.warn(uncovered.line)
  output.document({ decision, page })
  end(session, decision, page)
}

function pageOf({ decision, sender }: GateAnswer): string {
  return toDecisionPage(sender.serverUrl, sender.orgRef, decision)
}

/** Creates what prints the reasons of an answer that are other than those before. */
function createReport({ output }: Session) {
  let last = ''
  return (answer: GateAnswer) => {
    const { decision } = answer
    const lines = listBlocking(decision)
    const text = lines.join('\n')
    if (decision.state !== 'waiting' || text === last) return
    const isFirst = last === ''
    last = text
    const { dim, yellow } = output.errorStyles
    if (isFirst) output.note(`${nameDecision(decision)} waits: ${dim(pageOf(answer))}`)
    output.note(lines.map((line) => `  ${yellow('…')} ${line}`).join('\n'))
  }
}

/** @throws {CliError} `gate_waiting`, `gate_refused`, `gate_expired` */
function end({ output }: Session, decision: GateDecision, page: string): void {
  const { state } = decision
  const text = `The deployment of ${nameDecision(decision)} ${describeDecision(decision)}`
  if (state === 'passed' || state === 'overridden') {
    output.result(`${output.styles.green('✓')} ${text}`)
    const uncovered = findUncovered(decision)
    if (uncovered?.isDoubtful === false) output.result(`  ${uncovered.line}`)
    for (const line of listWatched(decision)) output.result(`  only watched: ${line}`)
    return
  }
  const reason = state === 'waiting' ? 'waiting' : 'failure'
  const details = listBlocking(decision)
  throw new CliError(reason, `gate_${state}`, `${text}.`, { details, advice: page })
}

async function readQuestion(session: Session, flags: GateFlags): Promise<GateQuestion> {
  const { environment } = flags
  if (environment === undefined) throw incomplete('environment', 'name', '')
  const { page, runId, attempt } = readPipeline(session.env)
  const url = page === undefined ? {} : { url: page }
  // The token of the job names the rest.
  if (await sendsAsPipeline(session)) return { environment, ...url }
  const { repository, sha, ref } = await readCommit(session, flags)
  const run = flags.run ?? runId
  if (run === undefined)
    throw incomplete('run', 'id', ' The command reads it in a pipeline that it knows.')
  const isOther = flags.run !== undefined || attempt === undefined
  return {
    environment,
    repository,
    sha,
    ...(ref !== undefined && { ref }),
    run,
    ...(isOther ? {} : { attempt: Number(attempt) }),
    ...url,
  }
}

function incomplete(flag: string, placeholder: string, more: string): CliError {
  return new CliError('usage', 'gate_incomplete', `--${flag} is missing.`, {
    advice: `Use --${flag} <${placeholder}>.${more}`,
  })
}

/** Defines `signalbox gate`. */
export const gateCommand = defineCommand({
  about:
    'Asks whether a deployment may go on, and with --wait asks until it may. Put it before the step that deploys. It ends with 0 when the deployment may go on, with 9 while it waits, with 1 when somebody refused it, and with 7 when the server does not answer. A job of GitHub Actions, GitLab CI or Forgejo Actions that has an ID token needs no key.',
  examples: [
    'signalbox gate --environment production --wait 30m',
    'signalbox gate --environment production --wait 30m --if-unreachable pass',
    'signalbox gate --environment live --repository acme/shop --sha 4f1c2aa… --run 812',
  ],
  flags: gateFlags,
  run: gate,
})
