import { hostname } from 'node:os'
import type { cliClientId, deviceGrantType } from '@signalbox/contract/rest'
import { createCall, type Call } from '../api/http.ts'
import { ApiError } from '../api/problem-error.ts'
import { CliError } from '../terminal/cli-error.ts'
import { cliVersion } from '../version.ts'

// Repeats the names, because the endpoint table would load its validators at every start.
const clientId: typeof cliClientId = 'signalbox-cli'
const grantType: typeof deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** Describes the response to a device authorization request (RFC 8628 §3.2). */
export interface DeviceCode {
  readonly deviceCode: string
  /** Example: `WDJB-MJHT`. */
  readonly userCode: string
  readonly pageUrl: string
  /** Holds the address with the code. */
  readonly completeUrl: string
  readonly lifetimeSeconds: number
  readonly intervalSeconds: number
}

/** Describes the response to a token request of a device (RFC 8628 §3.5). */
export type DeviceAnswer =
  | { readonly outcome: 'token'; readonly token: string }
  | { readonly outcome: 'pending' | 'slow_down' | 'denied' | 'expired' }
  /** Means that the network or the server failed for a moment. */
  | { readonly outcome: 'failed'; readonly error: CliError }

/** Describes the two calls of the device sign-in (RFC 8628). */
export interface DeviceServer {
  begin(): Promise<DeviceCode>
  ask(deviceCode: string): Promise<DeviceAnswer>
}

/** Creates the calls for a server, without a token. `source` names what names its address. */
export function askDevice(serverUrl: string, source: string): DeviceServer {
  const call = createCall({
    serverUrl,
    token: undefined,
    sources: { server: source },
    userAgent: `signalbox-cli/${cliVersion()}`,
  })
  return {
    begin: () => begin(call),
    ask: async (deviceCode) => {
      try {
        const fields = { grant_type: grantType, client_id: clientId, device_code: deviceCode }
        const { access_token: token } = await call('exchangeToken', { upload: toForm(fields) })
        return { outcome: 'token', token }
      } catch (error) {
        return readError(error)
      }
    },
  }
}

async function begin(call: Call): Promise<DeviceCode> {
  const name = deviceName()
  const fields = { client_id: clientId, ...(name !== '' && { device_name: name }) }
  try {
    const answer = await call('authorizeDevice', { upload: toForm(fields) })
    return {
      deviceCode: answer.device_code,
      userCode: answer.user_code,
      pageUrl: requireWebAddress(answer.verification_uri),
      completeUrl: requireWebAddress(answer.verification_uri_complete),
      lifetimeSeconds: answer.expires_in,
      // The default is five seconds (RFC 8628 §3.2).
      intervalSeconds: Math.max(1, answer.interval),
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    throw new CliError('failure', 'login_not_offered', 'The server cannot sign in by browser.', {
      advice: 'It is older than this command. Give it a token: signalbox login --token',
      cause: error,
    })
  }
}

/** Returns the description of this machine for the person who approves. */
function deviceName(): string {
  return hostname()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 60)
}

function toForm(fields: Readonly<Record<string, string>>) {
  const bytes = new TextEncoder().encode(new URLSearchParams(fields).toString())
  return { type: 'application/x-www-form-urlencoded', bytes }
}

/** Throws unless the address is one that a browser can open, because it is shown and opened. */
function requireWebAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.href
  throw new CliError('failure', 'not_signalbox', 'The server names no page to sign in on.', {
    advice: 'Check the address: signalbox doctor',
  })
}

const outcomes: Readonly<Record<string, 'pending' | 'slow_down' | 'denied' | 'expired'>> = {
  authorization_pending: 'pending',
  slow_down: 'slow_down',
  access_denied: 'denied',
  expired_token: 'expired',
}

function readError(error: unknown): DeviceAnswer {
  if (!(error instanceof CliError)) throw error
  const outcome = error instanceof ApiError ? outcomes[error.problem.error ?? ''] : undefined
  if (outcome !== undefined) return { outcome }
  const mayPass = error instanceof ApiError ? error.status >= 500 || error.status === 429 : true
  if (mayPass && error.code !== 'not_signalbox') return { outcome: 'failed', error }
  throw error
}
