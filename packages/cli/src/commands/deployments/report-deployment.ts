import { defineCommand, type FlagValues } from '../../action.ts'
import { textFlag } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { readPipeline } from '../../pipeline/read-pipeline.ts'

const states = ['queued', 'pending', 'in_progress', 'success', 'failure', 'error'] as const
type State = (typeof states)[number]

const reportFlags = {
  environment: textFlag('name', 'Environment that the pipeline deploys to'),
  state: textFlag('state', `State of the deployment: ${states.join(', ')}`),
  repository: textFlag('name', 'Repository, such as acme/shop (default: that of the pipeline)'),
  sha: textFlag('commit', 'Deployed commit (default: that of the pipeline)'),
  ref: textFlag('name', 'Branch or tag (default: that of the pipeline)'),
  id: textFlag('id', 'Names the deployment in each report (default: run and environment)'),
  url: textFlag('url', 'Address of the deployed application'),
  message: textFlag('text', 'Commit message, for issue keys (default: the code host tells it)'),
} as const

type ReportFlags = FlagValues<typeof reportFlags>

async function report(session: Session, flags: ReportFlags): Promise<void> {
  const deployment = readDeployment(session, flags)
  const { output } = session
  if (flags.dryRun) {
    output.document({ deployment })
    output.result(`would report ${describeReport(deployment)}`)
    return
  }
  const { api, organization } = await openOrganization(session)
  const recorded = await session.progress('Reporting', () =>
    api.call('createDeployment', { params: { org_id: organization.id }, body: deployment }),
  )
  const link = `${api.serverUrl}/${organization.slug}/deployments/${recorded.id}`
  output.document({ deployment: recorded, link })
  output.result(`${output.styles.green('✓')} ${printable(describeReport(deployment))}`)
  output.result(`  ${link}`)
}

interface ReportedDeployment {
  readonly repository: string
  readonly sha: string
  readonly ref: string
  readonly environment: string
  readonly state: State
  readonly externalId?: string
  readonly url?: string
  readonly commitMessages?: string[]
}

function describeReport({ repository, sha, environment, state }: ReportedDeployment): string {
  return `${repository} ${sha.slice(0, 7)} in ${environment}: ${state}`
}

function readDeployment({ env }: Session, flags: ReportFlags): ReportedDeployment {
  const pipeline = readPipeline(env)
  const environment = need(flags.environment, 'environment', 'name')
  const sha = need(flags.sha ?? pipeline.sha, 'sha', 'commit')
  // Several steps of a run report one deployment.
  const ofRun = pipeline.runId === undefined ? undefined : `${pipeline.runId}:${environment}`
  const externalId = flags.id ?? ofRun
  const { url, message } = flags
  return {
    repository: need(flags.repository ?? pipeline.repository, 'repository', 'name'),
    sha,
    ref: flags.ref ?? pipeline.ref ?? sha,
    environment,
    state: readState(flags.state),
    ...(externalId !== undefined && { externalId }),
    ...(url !== undefined && { url }),
    ...(message !== undefined && { commitMessages: [message] }),
  }
}

/** @throws {CliError} `invalid_state` */
function readState(text: string | undefined): State {
  // As the status of a job names it.
  const state = text === 'cancelled' ? 'error' : text
  const known = states.find((one) => one === state)
  if (known !== undefined) return known
  const message =
    text === undefined ? '--state is missing.' : `--state does not know ${printable(text)}.`
  throw new CliError('usage', 'invalid_state', message, {
    advice: `Use one of: ${states.join(', ')}, cancelled.`,
  })
}

/** @throws {CliError} `deployment_incomplete` */
function need(value: string | undefined, flag: string, placeholder: string): string {
  if (value !== undefined && value !== '') return value
  throw new CliError('usage', 'deployment_incomplete', `--${flag} is missing.`, {
    advice:
      flag === 'environment'
        ? `Use --${flag} <${placeholder}>.`
        : `Use --${flag} <${placeholder}>. The command reads it only in a pipeline that it knows.`,
  })
}

/** Defines `signalbox deployments report`. */
export const reportDeploymentCommand = defineCommand({
  brief: 'Report a deployment from a pipeline',
  about:
    'Reports a deployment, or a new state of it, with a server key in SIGNALBOX_TOKEN. In pipelines of GitHub, GitLab, Forgejo, Gitea and Woodpecker the command knows repository, commit and branch, and every step of a run reports the same deployment of an environment.',
  examples: [
    'signalbox deployments report --environment production --state in_progress',
    'signalbox deployments report --environment production --state ${{ job.status }}',
    'signalbox deployments report --environment staging --state success --repository acme/shop --sha 4f1c2aa',
  ],
  flags: reportFlags,
  run: report,
})
