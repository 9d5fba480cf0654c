import type { Api } from '../../api/api.ts'
import type { Session } from '../../session.ts'
import { openPipeline, sendsAsPipeline } from '../open-pipeline.ts'
import { readPipeline } from '../read-pipeline.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'

/** Holds the flags that name the test run of a report. */
export interface RunFlags {
  readonly run?: string | undefined
  readonly deployment?: string | undefined
  readonly environment?: string | undefined
  readonly sha?: string | undefined
  readonly name?: string | undefined
}

/** Describes the test run that reports are uploaded to, and the API for it. */
export interface Upload {
  readonly api: Api
  readonly orgId: string
  readonly runId: string
}

/**
 * Finds the run, or records a new one. Without a token, in a job of a pipeline, it uses the job's OIDC token,
 * which reaches only the run that the job belongs to.
 *
 * @throws {CliError} `run_required`, `organization_required`, `no_token`, `no_pipeline_token`
 */
export async function openUpload(session: Session, flags: RunFlags): Promise<Upload> {
  const { env } = session
  if (await sendsAsPipeline(session)) return openAsPipeline(session, flags)
  assertNamed(flags)
  const { api, organization } = await openOrganization(session)
  const orgId = organization.id
  if (flags.run !== undefined) return { api, orgId, runId: flags.run }
  const { deployment: deploymentId, environment, sha, name = 'Tests' } = flags
  const created = await api.call('createTestRun', {
    params: { org_id: orgId },
    body: {
      name,
      ...(deploymentId === undefined ? {} : { deploymentId }),
      ...(environment === undefined ? {} : { environment }),
      ...(sha === undefined ? {} : { sha }),
      ...runOfPipeline(env),
    },
  })
  return { api, orgId, runId: created.id }
}

/** Throws when no flag names what was tested. @throws {CliError} `run_required` */
function assertNamed({ run, deployment, environment, sha }: RunFlags): void {
  if ([run, deployment, environment, sha].some((value) => value !== undefined)) return
  throw new CliError('usage', 'run_required', 'The tested deployment or commit is missing.', {
    advice: [
      'Use --deployment <id>, or --environment <name> and --sha <commit>,',
      'or --run <id> of an existing run, which a dispatched workflow gets as the input test_run_id.',
    ].join('\n'),
  })
}

async function openAsPipeline(session: Session, { run }: RunFlags): Promise<Upload> {
  if (run === undefined) {
    throw new CliError(
      'usage',
      'run_required',
      '--run is missing. The token of a job is valid only for the run that Signalbox dispatched.',
      {
        advice:
          'signalbox report … --run ${{ inputs.test_run_id }}\nor set SIGNALBOX_TOKEN to a server key, which may record a new run.',
      },
    )
  }
  const { orgRef, api } = await openPipeline(session)
  return { api: await api(), orgId: orgRef, runId: run }
}

/** Returns the run of the pipeline, so that its jobs report to one test run and its page is linked. */
function runOfPipeline(env: Session['env']): { externalId?: string; url?: string } {
  const { runId: externalId, url } = readPipeline(env)
  return externalId === undefined || url === undefined ? {} : { externalId, url }
}
