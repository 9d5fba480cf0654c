import { CliError } from '../terminal/cli-error.ts'

type Environment = Readonly<Partial<Record<string, string>>>

const timeLimitMs = 10_000

/**
 * Returns whether the job has an OIDC token, as `id_tokens` of GitLab CI gives it in a variable, or may request one, as a job of
 * GitHub Actions with `permissions: id-token: write`.
 */
export function hasPipelineToken(env: Environment): boolean {
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
export async function askPipelineToken(env: Environment, audience: string): Promise<string> {
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
