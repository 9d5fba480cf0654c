import { cliVersion } from '../version.ts'
import { deliveryAddressError, isDeliveryHealth } from './address-error.ts'
import { createCall } from './http.ts'

const limitMs = 5_000

/**
 * Asks a server for its health, without a token. `source` names what names its address.
 *
 * @throws {CliError} `unreachable`, `delivery_address`, and what an answer says that is not of a server
 */
export async function assertReachable(serverUrl: string, source: string): Promise<void> {
  const call = createCall({
    serverUrl,
    token: undefined,
    sources: { server: source },
    userAgent: `signalbox-cli/${cliVersion()}`,
    totalTimeoutMs: limitMs,
  })
  const health = await call('readHealth')
  if (isDeliveryHealth(health)) throw deliveryAddressError(serverUrl, source)
}
