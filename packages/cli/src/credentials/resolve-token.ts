import { text } from 'node:stream/consumers'
import { claimedTokenKind } from '@signalbox/contract'
import type { Surroundings } from '../cli-context.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { ServerChoice } from '../project/choose-server.ts'
import { isLoopback } from '../project/server-url.ts'
import { exchangeIdentityToken, hasIdentityToken } from './exchange-identity-token.ts'
import { findStoredToken, isKnownServer } from './credentials-file.ts'

/** Describes the sources of a token. */
export interface TokenRequest {
  readonly env: Readonly<Partial<Record<string, string>>>
  readonly profile: string
  readonly server: ServerChoice
  /** Holds the standard input, where `--token-stdin` reads the token from it. */
  readonly stdin?: Surroundings['stdin'] | undefined
}

/** Holds a token and its source. */
export interface ResolvedToken {
  readonly token: string
  readonly source:
    | '--token-stdin'
    | 'SIGNALBOX_TOKEN'
    | 'SIGNALBOX_IDENTITY_TOKEN_FILE'
    | 'credentials file'
}

/**
 * Returns the token to use: from standard input, then SIGNALBOX_TOKEN, then one that the token of a service account is
 * exchanged for, then the credentials file.
 *
 * @throws {CliError} `server_not_confirmed`
 */
export async function findToken(request: TokenRequest): Promise<ResolvedToken | undefined> {
  const explicitToken = await findExplicitToken(request)
  if (explicitToken !== undefined) {
    await assertConfirmed(request, explicitToken.source)
    return explicitToken
  }
  if (hasIdentityToken(request.env)) {
    const source = 'SIGNALBOX_IDENTITY_TOKEN_FILE'
    await assertConfirmed(request, source)
    return { token: await exchangeIdentityToken(request.env, request.server.url), source }
  }
  const stored = await findStoredToken(request.env, request.profile, request.server.url)
  return stored === undefined ? undefined : { token: stored, source: 'credentials file' }
}

async function findExplicitToken({ env, stdin }: TokenRequest): Promise<ResolvedToken | undefined> {
  if (stdin !== undefined)
    return { token: await readTokenFromStdin(stdin), source: '--token-stdin' }
  const token = env['SIGNALBOX_TOKEN']?.trim()
  return token === undefined || token === '' ? undefined : { token, source: 'SIGNALBOX_TOKEN' }
}

/**
 * Refuses to send a token of the environment or of standard input to a server that only the project file names.
 * Anybody who may propose a change to the project can change that file.
 */
async function assertConfirmed(
  { env, server }: TokenRequest,
  source: ResolvedToken['source'],
): Promise<void> {
  if (server.namedBy !== 'project' || isLoopback(server.url)) return
  if (await isKnownServer(env, server.url)) return
  throw new CliError(
    'authentication',
    'server_not_confirmed',
    `The command did not send the token of ${source} to ${server.url}, because only ${server.source} names that server.`,
    {
      advice: `If this is the right server, name it where the token is set: SIGNALBOX_URL=${server.url}\nor on your own machine: signalbox login --server ${server.url}`,
    },
  )
}

/** Reads the token from standard input, without blanks around it. */
async function readTokenFromStdin(stdin: Surroundings['stdin']): Promise<string> {
  if (stdin.isTTY) {
    throw new CliError(
      'usage',
      'no_token',
      '--token-stdin reads the token from stdin, which is a terminal.',
      {
        advice: 'printf %s "$TOKEN" | signalbox … --token-stdin',
      },
    )
  }
  const token = (await text(stdin)).trim()
  if (token === '') {
    throw new CliError('usage', 'no_token', 'There is no token on stdin.')
  }
  return token
}

/**
 * Refuses a text that cannot be a token, and says what tokens look like. It does not ask the server. `source` names a
 * flag or variable that holds it.
 */
export function assertTokenForm(token: string, source?: string): void {
  const kind = claimedTokenKind(token)
  if (kind === 'b2m') throw browserKey(source)
  if (kind !== undefined) return
  const isQuoted = /^(["'`]).*\1$/.test(token)
  if (!isQuoted && /^[\x21-\x7E]{32,4096}$/.test(token)) return
  const what = source === undefined ? 'This is' : `What ${source} holds is`
  throw new CliError('authentication', 'invalid_token', `${what} not a token.`, {
    advice: isQuoted
      ? 'It has quotation marks around it, which are no part of it. Take them away.'
      : 'Copy the whole token. It begins with sbx_pat_ (a personal token) or sbx_m2m_ (a server key).',
  })
}

function browserKey(source = 'This'): CliError {
  return new CliError(
    'authentication',
    'invalid_token',
    `${source === 'This' ? 'This' : `What ${source} holds`} is a browser key: it reads only public values and flags, so commands can't use it.`,
    { advice: 'Use a server key (sbx_m2m_) or a personal token (sbx_pat_).' },
  )
}
