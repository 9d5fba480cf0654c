import { CliError } from '../terminal/cli-error.ts'

/** Holds the address of a server that was started with its defaults. */
export const defaultServerUrl = 'http://127.0.0.1:4400'

/** Normalizes the address of a server: scheme, host, port and path, without a trailing slash. */
export function parseServerUrl(text: string, source: string): string {
  const url = parse(text.trim(), source)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw violation(source, 'must begin with http:// or https://')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw violation(source, 'must not contain credentials, a query or a fragment')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Returns whether what is sent to `serverUrl` stays on this machine or is encrypted. */
export function isPrivateConnection(serverUrl: string): boolean {
  return new URL(serverUrl).protocol === 'https:' || isLoopback(serverUrl)
}

/** Returns whether `serverUrl` is an address of this machine that no other can take. */
export function isLoopback(serverUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(serverUrl).hostname)
}

/**
 * Throws when the connection to `serverUrl` is not encrypted and could be read on its way, unless the user allows it.
 *
 * @throws {CliError} `not_encrypted`
 */
export function assertPrivateConnection(
  serverUrl: string,
  env: Readonly<Partial<Record<string, string>>>,
): void {
  if (isPrivateConnection(serverUrl) || env['SIGNALBOX_ALLOW_HTTP'] === '1') return
  throw new CliError(
    'usage',
    'not_encrypted',
    `${serverUrl} is not encrypted, so others on the network could read the token and secrets.`,
    {
      advice: `Use https. On a network that you trust: SIGNALBOX_ALLOW_HTTP=1`,
    },
  )
}

function parse(text: string, source: string): URL {
  try {
    return new URL(text)
  } catch {
    throw violation(source, 'is not a URL')
  }
}

function violation(source: string, what: string): CliError {
  return new CliError('usage', 'invalid_server', `The server in ${source} ${what}.`, {
    advice: `Example: ${defaultServerUrl}`,
  })
}
