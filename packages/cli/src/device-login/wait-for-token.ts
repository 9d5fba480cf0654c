import { CliError } from '../terminal/cli-error.ts'
import type { DeviceCode, DeviceServer } from './ask-device.ts'

/** Describes the device code whose approval is awaited. */
export interface WaitForToken {
  readonly server: Pick<DeviceServer, 'ask'>
  readonly code: Pick<DeviceCode, 'deviceCode' | 'intervalSeconds' | 'lifetimeSeconds'>
  /** Ends early when somebody cancels, by throwing. */
  readonly sleep: (ms: number) => Promise<void>
  readonly nowMs: () => number
}

/** How much longer to wait after having asked too early, or in vain (RFC 8628 §3.5). */
const backOffSeconds = 5

/**
 * Asks the server in its interval until somebody approves. A server that cannot be reached for a moment is asked again, with
 * more time between.
 *
 * @throws {CliError} `login_denied`, `login_expired`, or what the last question failed with
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
  return new CliError('authentication', 'login_denied', 'It was refused in the browser.', {
    advice: 'If that was not meant: signalbox login',
  })
}

function expired(): CliError {
  return new CliError('authentication', 'login_expired', 'Nobody approved it in time.', {
    advice: 'Get another code: signalbox login',
  })
}
