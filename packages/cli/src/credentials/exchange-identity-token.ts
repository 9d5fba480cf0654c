import { readFile } from 'node:fs/promises'
import { isRecord } from '../project/json.ts'
import { assertPrivateConnection } from '../project/server-url.ts'
import { CliError } from '../terminal/cli-error.ts'

type Environment = Readonly<Partial<Record<string, string>>>

const timeLimitMs = 10_000
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Returns whether the variables name the token of a Kubernetes service account. */
export function hasIdentityToken(env: Environment): boolean {
  return (env['SIGNALBOX_IDENTITY_TOKEN_FILE']?.trim() ?? '') !== ''
}

/**
 * Exchanges the token of the pod's service account, which SIGNALBOX_IDENTITY_TOKEN_FILE names, for an access token of the
 * key that SIGNALBOX_KEY_ID names (RFC 7523). The file is read each time, because Kubernetes replaces the token in it.
 *
 * @throws {CliError} `no_key_id`, `no_identity_token`, `identity_refused`
 */
export async function exchangeIdentityToken(env: Environment, serverUrl: string): Promise<string> {
  const path = env['SIGNALBOX_IDENTITY_TOKEN_FILE']?.trim() ?? ''
  const keyId = env['SIGNALBOX_KEY_ID']?.trim() ?? ''
  if (keyId === '') {
    throw new CliError(
      'authentication',
      'no_key_id',
      'SIGNALBOX_IDENTITY_TOKEN_FILE is set, but SIGNALBOX_KEY_ID names no API key.',
      {
        advice:
          'Set SIGNALBOX_KEY_ID to the id of the server key (key_…) that the service account is pinned to.',
      },
    )
  }
  assertPrivateConnection(serverUrl, env)
  const assertion = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CliError('authentication', 'no_identity_token', `${path} cannot be read.`, {
      advice:
        'Mount a projected service-account token there, or correct SIGNALBOX_IDENTITY_TOKEN_FILE.',
      cause,
    })
  })
  const response = await ask(serverUrl, { keyId, assertion: assertion.trim() })
  const body: unknown = await response.json().catch(() => undefined)
  const token = isRecord(body) ? body['access_token'] : undefined
  if (response.ok && typeof token === 'string') return token
  const reason = isRecord(body) ? body['error_description'] : undefined
  throw refused(typeof reason === 'string' ? reason : `status ${response.status}`)
}

async function ask(
  serverUrl: string,
  { keyId, assertion }: { readonly keyId: string; readonly assertion: string },
): Promise<Response> {
  try {
    return await fetch(`${serverUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: grantType, client_id: keyId, assertion }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    })
  } catch (cause) {
    throw refused('no answer', cause)
  }
}

function refused(why: string, cause?: unknown): CliError {
  return new CliError(
    'authentication',
    'identity_refused',
    `The server did not accept the token of the service account: ${why}`,
    {
      advice:
        'Compare issuer, namespace and name in the settings of the API key with the claims iss and sub of the token.',
      cause,
    },
  )
}
