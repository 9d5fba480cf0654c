import { CliError } from '../terminal/cli-error.ts'
import type { DeviceCode, DeviceServer } from './ask-device.ts'

/** Describes the device code whose approval is awaited. */
export interface WaitForToken {
  readonly server: Pick<DeviceServer, 'ask'>
  readonly code: Pick<DeviceCode, 'deviceCode' | 'intervalSeconds' | 'lifetimeSeconds'>
  /** Sleeps. Throws when the person cancels. */
  readonly sleep: (ms: number) => Promise<void>
  readonly nowMs: () => number
}

/** Holds the seconds that are added to the interval after `slow_down` or a failed request (RFC 8628 §3.5). */
const backOffSeconds = 5

/**
 * Polls the server in its interval until somebody approves. A failed request is retried with a longer interval.
 *
 * @throws {CliError} `login_denied`, `login_expired`, or the error of the last request
 */
export async function waitForToken({ server, code, sleep, nowMs }: WaitForToken): Promise<string> {
  const endsAt = nowMs() + code.lifetimeSeconds * 1000
  let { intervalSeconds } = code
  let failure: CliError | undefined
  while (nowMs() < endsAt) {
    await sleep(intervalSeconds * 1000)
    const answer = await server.ask(code.deviceCode)
    if (answer.outcome === 'token') return answer.token
    if (answer.outcome === 'denied') throw denied()
    if (answer.outcome === 'expired') throw expired()
    if (answer.outcome !== 'pending') intervalSeconds += backOffSeconds
    failure = answer.outcome === 'failed' ? answer.error : undefined
  }
  throw failure ?? expired()
}

function denied(): CliError {
  return new CliError('authentication', 'login_denied', 'The sign-in was denied in the browser.', {
    advice: 'To try again: signalbox login',
  })
}

function expired(): CliError {
  return new CliError(
    'authentication',
    'login_expired',
    'The code expired before it was authorized.',
    {
      advice: 'To get a new code: signalbox login',
    },
  )
}
