import { text } from 'node:stream/consumers'
import process from 'node:process'
import { claimedTokenKind } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'
import { findStoredToken } from './credentials-file.ts'

export interface TokenRequest {
  readonly env: Readonly<Partial<Record<string, string>>>
  readonly profile: string
  readonly serverUrl: string
  readonly tokenStdin: boolean
}

export interface FoundToken {
  readonly token: string
  readonly source: '--token-stdin' | 'SIGNALBOX_TOKEN' | 'credentials file'
}

/** The token to use: standard input, then SIGNALBOX_TOKEN, then the credentials file. */
export async function findToken(request: TokenRequest): Promise<FoundToken | undefined> {
  if (request.tokenStdin) return { token: await readTokenFromStdin(), source: '--token-stdin' }
  const given = request.env['SIGNALBOX_TOKEN']?.trim()
  if (given !== undefined && given !== '') return { token: given, source: 'SIGNALBOX_TOKEN' }
  const stored = await findStoredToken(request.env, request.profile, request.serverUrl)
  return stored === undefined ? undefined : { token: stored, source: 'credentials file' }
}

/** The token on standard input: everything up to the end, without blanks around it. */
export async function readTokenFromStdin(): Promise<string> {
  if (process.stdin.isTTY) {
    throw new CliError(
      'usage',
      'no_token',
      '--token-stdin expects the token on the standard input, which is a terminal.',
      {
        hint: 'printf %s "$TOKEN" | signalbox … --token-stdin',
      },
    )
  }
  const token = (await text(process.stdin)).trim()
  if (token === '') {
    throw new CliError('usage', 'no_token', 'The standard input carries no token.')
  }
  return token
}

/** Refuses what cannot be a header value, and says what a token of ours looks like. Does not ask the server. */
export function assertTokenForm(token: string): void {
  if (claimedTokenKind(token) !== undefined) return
  if (/^[\x21-\x7E]{32,4096}$/.test(token)) return
  throw new CliError('authentication', 'invalid_token', 'This is not a token.', {
    hint: 'A token begins with sbx_pat_ (yours) or sbx_m2m_ (a server key) and is copied whole.',
  })
}
