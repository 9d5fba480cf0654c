import type { Api } from '../api/api.ts'
import type { Session } from '../session.ts'
import { openOrganization } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readPipeline } from './read-pipeline.ts'

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
  if ((await session.findToken()) === undefined && hasPipelineToken(env)) {
    return openAsPipeline(session, flags)
  }
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
  const { env } = session
  const orgId = env['SIGNALBOX_ORGANIZATION'] ?? (await session.project())?.project.organization
  if (orgId === undefined) {
    throw new CliError('usage', 'organization_required', 'The organization is missing.', {
      advice: 'Set SIGNALBOX_ORGANIZATION, or name it as "organization" in .signalbox.json.',
    })
  }
  const { url } = await session.server()
  const api = await session.apiWith(await askPipelineToken(env, url))
  return { api, orgId, runId: run }
}

/** Returns the run of the pipeline, so that its jobs report to one test run and its page is linked. */
function runOfPipeline(env: Session['env']): { externalId?: string; url?: string } {
  const { runId: externalId, url } = readPipeline(env)
  return externalId === undefined || url === undefined ? {} : { externalId, url }
}

type Environment = Readonly<Partial<Record<string, string>>>

const timeLimitMs = 10_000

/**
 * Returns whether the job has an OIDC token, as `id_tokens` of GitLab CI gives it in a variable, or may request one, as a job of
 * GitHub Actions with `permissions: id-token: write`.
 */
function hasPipelineToken(env: Environment): boolean {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env
  return givenToken(env) !== undefined || ((url ?? '') !== '' && (token ?? '') !== '')
}

/** Returns the token that the job was started with. */
function givenToken({ SIGNALBOX_ID_TOKEN: token = '' }: Environment): string | undefined {
  return token.trim() === '' ? undefined : token.trim()
}

/**
 * Returns the OIDC token of this job: the one that it was given, or one that GitHub issues on request. The latter is valid at
 * `audience` alone and for some minutes.
 *
 * @see https://docs.github.com/en/actions/reference/security/oidc
 * @throws {CliError} `no_pipeline_token`
 */
async function askPipelineToken(env: Environment, audience: string): Promise<string> {
  const own = givenToken(env)
  if (own !== undefined) return own
  const url = new URL(env['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '')
  url.searchParams.set('audience', audience)
  const authorization = `Bearer ${env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? ''}`
  const token = await fetchToken(url, authorization).catch((cause: unknown) => {
    throw refused('no answer', cause)
  })
  if (typeof token !== 'string') throw refused(`status ${token}`)
  return token
}

/** Returns the token, or the status of a response without one. */
async function fetchToken(url: URL, authorization: string): Promise<string | number> {
  const signal = AbortSignal.timeout(timeLimitMs)
  const response = await fetch(url, { headers: { authorization }, redirect: 'error', signal })
  const body: unknown = response.ok ? await response.json() : undefined
  const isToken = typeof body === 'object' && body !== null && 'value' in body
  return isToken && typeof body.value === 'string' ? body.value : response.status
}

function refused(why: string, cause?: unknown): CliError {
  return new CliError(
    'authentication',
    'no_pipeline_token',
    `GitHub Actions gave no token for this run (${why}).`,
    {
      advice:
        'Give the job "permissions: id-token: write", or set SIGNALBOX_TOKEN to a server key.',
      cause,
    },
  )
}
