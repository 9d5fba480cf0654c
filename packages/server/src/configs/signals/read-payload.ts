import { createHash } from 'node:crypto'
import { limits } from '@signalbox/contract'
import { refuse } from './signal-rules.ts'
import { listActive, withoutData, withoutEnd } from './read-alert.ts'
import { isRecord } from './readings.ts'
import type { SignalRow } from './signal.ts'

type Firing = SignalRow['firing']
type Fields = Readonly<Record<string, unknown>>

/** Describes alerts that were received: which ones fire afterwards. */
interface Received {
  readonly payload: unknown
  readonly firing: Firing
  readonly now: Date
}

/**
 * Returns which alerts fire after a webhook of Alertmanager (version 4), one of Grafana, which has the same list, or `{ "status":
 * "firing" }`.
 *
 * @throws {Problem} `validation_failed`
 *
 * @see https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
 * @see https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
 */
export function readAlerts({ payload, firing, now }: Received): Firing {
  if (!isRecord(payload)) throw refuse('', shape)
  const { alerts, status } = payload
  if (alerts === undefined) {
    if (status !== 'firing' && status !== 'resolved') throw refuse('/status', shape)
    return status === 'resolved' ? {} : { [single]: firing[single] ?? now.toISOString() }
  }
  if (!Array.isArray(alerts)) throw refuse('/alerts', shape)
  if (alerts.length > limits.alertsPerSignal) throw refuse('/alerts', tooMany)
  const left = new Map(Object.entries(firing))
  alerts.forEach((alert: unknown, at) => {
    noteAlert(left, alert, { at, now })
  })
  return keepNewest(left)
}

const single = 'status'
const shape =
  'Send the webhook of Alertmanager (version 4) or of Grafana, or {"status": "firing"} and later {"status": "resolved"}.'
const tooMany = `Send at most ${limits.alertsPerSignal} alerts per request. Alertmanager has "max_alerts" for it.`

function noteAlert(
  left: Map<string, string>,
  alert: unknown,
  { at, now }: { readonly at: number; readonly now: Date },
): void {
  if (!isRecord(alert)) throw refuse(`/alerts/${at}`, shape)
  const { status, fingerprint, labels, startsAt } = alert
  if (status !== 'firing' && status !== 'resolved') throw refuse(`/alerts/${at}/status`, shape)
  const named = isRecord(labels) ? labels : {}
  if (isTest(named)) return
  const name = nameOf(named) + identify(fingerprint, named)
  if (status === 'resolved') left.delete(name)
  else left.set(name, readStart(startsAt, now) ?? left.get(name) ?? now.toISOString())
}

/** Grafana's test of a contact point fires, and nothing ever resolves it. */
function isTest({ alertname, instance }: Fields): boolean {
  return alertname === 'TestAlert' && instance === 'Grafana'
}

/** Grafana sends alerts of its own where a rule has no data or fails. */
function nameOf({ alertname }: Fields): string {
  return alertname === 'DatasourceNoData' || alertname === 'DatasourceError' ? withoutData : ''
}

function identify(fingerprint: unknown, labels: Fields): string {
  if (typeof fingerprint === 'string' && /^[\da-f]{8,64}$/i.test(fingerprint)) return fingerprint
  const text = JSON.stringify([
    fingerprint,
    Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ])
  return createHash('sha256').update(text).digest('base64url')
}

/** Returns when an alert began, at the latest when it was received: clocks differ. */
function readStart(text: unknown, now: Date): string | undefined {
  const at = typeof text === 'string' ? Date.parse(text) : NaN
  if (!(at > 0)) return undefined
  return new Date(Math.min(at, now.getTime())).toISOString()
}

function keepNewest(firing: ReadonlyMap<string, string>): Firing {
  const newest = [...firing].toSorted(([, one], [, other]) => (one < other ? 1 : -1))
  return Object.fromEntries(newest.slice(0, limits.alertsPerSignal))
}

/**
 * Returns which alerts fire after a webhook of Sentry's integration platform: `metric_alert` fires and resolves, `event_alert` has no
 * end. `undefined`: the webhook is about something else.
 *
 * @throws {Problem} `validation_failed`
 *
 * @see https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export function readSentry(
  resource: string | undefined,
  { payload, firing, now }: Received,
): Firing | undefined {
  if (resource !== 'metric_alert' && resource !== 'event_alert') return undefined
  const { action, data } = isRecord(payload) ? payload : {}
  const about = isRecord(data) ? data[resource === 'metric_alert' ? resource : 'event'] : undefined
  if (!isRecord(about)) throw refuse('/data', `Send the webhook of Sentry about ${resource}.`)
  const left = new Map(listActive(firing, now))
  if (resource === 'event_alert') {
    left.set(`${withoutEnd}${identify(about['event_id'], {})}`, now.toISOString())
    return keepNewest(left)
  }
  noteIncident(left, about, { action, now })
  return keepNewest(left)
}

function noteIncident(
  left: Map<string, string>,
  incident: Fields,
  { action, now }: { readonly action: unknown; readonly now: Date },
): void {
  const name = `incident:${identify(incident['id'], {})}`
  if (action === 'resolved') left.delete(name)
  else if (action === 'critical' || action === 'warning')
    left.set(name, readStart(incident['date_started'], now) ?? left.get(name) ?? now.toISOString())
  else throw refuse('/action', 'Send a metric alert that is critical, warning or resolved.')
}
