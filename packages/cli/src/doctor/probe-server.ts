import { deliveryAddressError, isDeliveryHealth } from '../api/address-error.ts'
import { createCall } from '../api/http.ts'
import { ApiError } from '../api/problem-error.ts'
import { CliError } from '../terminal/cli-error.ts'
import { cliVersion } from '../version.ts'

/** Describes the result of a request to the server. */
export interface ServerProbe {
  readonly reached: boolean
  readonly ready: boolean
  readonly detail: string
  /** Lists what works and needs the operator of the server. */
  readonly warnings: readonly string[]
  /** True where a proxy before the server refuses a body that the server would take. */
  readonly isBodyCut: boolean
  /** Holds advice where the server was not reached. */
  readonly next?: string
  readonly version: string
  readonly roundTripMs: number
  /** Holds how far the server's clock is ahead of ours. */
  readonly skewMs: number | undefined
}

const limitMs = 5_000
/** Sends more than nginx takes by default, and less than a webhook or a schema may have. */
const largeBodyBytes = 2 * 1024 * 1024

/** Checks without a token whether a server is reachable and ready, and compares its clock. */
export async function probeServer(serverUrl: string, source: string): Promise<ServerProbe> {
  let skewMs: number | undefined
  const timed: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const date = Date.parse(response.headers.get('date') ?? '')
    // The header has a resolution of seconds.
    if (!Number.isNaN(date)) skewMs = date + 500 - Date.now()
    return response
  }
  const call = createCall({
    serverUrl,
    token: undefined,
    userAgent: `signalbox-cli/${cliVersion()}`,
    sources: { server: source },
    totalTimeoutMs: limitMs,
    fetch: timed,
  })
  const startedAt = performance.now()
  try {
    const health = await call('readHealth')
    if (isDeliveryHealth(health)) throw deliveryAddressError(serverUrl, source)
    const { version } = health
    const roundTripMs = Math.round(performance.now() - startedAt)
    const ready = await isReady(call)
    const isBodyCut = await cutsBodies(serverUrl)
    return { reached: true, ...ready, isBodyCut, version, roundTripMs, skewMs }
  } catch (error) {
    const detail = error instanceof CliError ? error.message : String(error)
    const isDelivery = error instanceof CliError && error.code === 'delivery_address'
    const next = isDelivery
      ? (error.advice ?? '')
      : `signalbox start, or correct the address: ${source}`
    const nothing = { warnings: [], isBodyCut: false, version: '', roundTripMs: 0, skewMs }
    return { reached: false, ready: false, detail, next, ...nothing }
  }
}

/** Sends a large body to where the server takes none. Its own refusals are problems, and a proxy's are not. */
async function cutsBodies(serverUrl: string): Promise<boolean> {
  const answer = await fetch(`${serverUrl}/healthz`, {
    method: 'POST',
    body: new Uint8Array(largeBodyBytes),
    signal: AbortSignal.timeout(limitMs),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  const type = answer?.headers.get('content-type') ?? ''
  return answer?.status === 413 && !type.startsWith('application/problem+json')
}

async function isReady(
  call: ReturnType<typeof createCall>,
): Promise<Pick<ServerProbe, 'ready' | 'detail' | 'warnings'>> {
  try {
    const { status, checks } = await call('readReadiness')
    const failures = Object.entries(checks).flatMap(([name, { ok, detail }]) =>
      ok ? [] : [`${name}: ${detail}`],
    )
    const warnings = Object.values(checks).flatMap(({ warning, detail }) =>
      warning === true ? [detail] : [],
    )
    return { ready: status === 'ready', detail: failures.join('; '), warnings }
  } catch (error) {
    const detail =
      error instanceof ApiError || error instanceof CliError ? error.message : String(error)
    return { ready: false, detail, warnings: [] }
  }
}
