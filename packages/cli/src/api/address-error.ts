import { CliError } from '../terminal/cli-error.ts'

const standardPorts = { delivery: '4401', api: '4400' } as const

/**
 * Returns the error for the address of the delivery, at which the API is not served. `source` names the flag, variable
 * or file that names the address.
 */
export function deliveryAddressError(serverUrl: string, source = 'SIGNALBOX_URL'): CliError {
  return new CliError(
    'usage',
    'delivery_address',
    `${serverUrl} is the address that applications read (SIGNALBOX_CONFIG_URL). Commands need the address of the API.`,
    { advice: `Name the API in ${source}: ${guessApiUrl(serverUrl)}` },
  )
}

/** Returns whether the answer of `/healthz` is the delivery's. The API's has a `status`. */
export function isDeliveryHealth(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'ok' in body && !('status' in body)
}

function guessApiUrl(serverUrl: string): string {
  const url = new URL(serverUrl)
  if (url.port !== standardPorts.delivery) return 'the address at which the dashboard opens'
  url.port = standardPorts.api
  return url.href.replace(/\/$/, '')
}
