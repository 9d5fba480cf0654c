import { requestMessage, type Log } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Exchange } from '../exchange.ts'

const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])

/** Counts an answered request and writes its one line in the log. */
export function recordExchange(
  { log, metrics }: { readonly log: Log; readonly metrics: Pick<Metrics, 'recordRequest'> },
  { requestId, method, route, quiet, orgId, actor }: Exchange,
  status: number,
  durationMs: number,
): void {
  const known = knownMethods.has(method) ? method : 'OTHER'
  metrics.recordRequest({ listener: 'api', method: known, route, status, durationMs })
  const write = quiet ? log.debug : log.info
  write(requestMessage, {
    requestId,
    method: known,
    route,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    orgId,
    actor: actor?.type,
    credentialId: actor?.credentialId,
  })
}
