/** Holds one alert as Alertmanager sends it. */
interface SentAlert {
  readonly name: string
  readonly status: 'firing' | 'resolved'
  readonly startsAt?: string
  readonly fingerprint?: string
  readonly labels?: Readonly<Record<string, string>>
}

const never = '0001-01-01T00:00:00Z'

function toAlert({ name, status, startsAt = never, fingerprint, labels = {} }: SentAlert) {
  return {
    status,
    labels: { alertname: name, severity: 'page', ...labels },
    annotations: { summary: `${name} is too high` },
    startsAt,
    endsAt: status === 'firing' ? never : '2026-11-30T12:00:00Z',
    generatorURL: 'https://prometheus.example.com/graph',
    ...(fingerprint !== undefined && { fingerprint }),
  }
}

function toGroup(alerts: readonly SentAlert[]) {
  const isFiring = alerts.some(({ status }) => status === 'firing')
  return {
    receiver: 'signalbox',
    status: isFiring ? 'firing' : 'resolved',
    alerts: alerts.map(toAlert),
    groupLabels: { alertname: alerts[0]?.name },
    commonLabels: { severity: 'page' },
    commonAnnotations: {},
  }
}

/** Returns the webhook of Alertmanager about some alerts, in version 4. */
export function fromAlertmanager(...alerts: readonly SentAlert[]) {
  return {
    version: '4',
    groupKey: '{}:{alertname="errors"}',
    truncatedAlerts: 0,
    externalURL: 'https://alertmanager.example.com',
    ...toGroup(alerts),
  }
}

/** Returns the webhook of Grafana about some alerts. */
export function fromGrafana(...alerts: readonly SentAlert[]) {
  const group = toGroup(alerts)
  return {
    ...group,
    alerts: group.alerts.map((alert) => ({
      ...alert,
      values: { A: 3 },
      valueString: '[ var="A" value=3 ]',
      silenceURL: 'https://grafana.example.com/alerting/silence/new',
      dashboardURL: '',
      panelURL: '',
    })),
    orgId: 1,
    externalURL: 'https://grafana.example.com/',
    version: '1',
    groupKey: '{}/{}:{}',
    truncatedAlerts: 0,
    title: '[FIRING:1] errors',
    state: group.status === 'firing' ? 'alerting' : 'ok',
    message: '**Firing**',
  }
}

const sentry = {
  actor: { type: 'application', id: 'sentry', name: 'Sentry' },
  installation: { uuid: '7a485448-a9e2-4c85-8a3c-4f44175783c9' },
}

/** Returns the webhook of Sentry about an incident of a metric alert. */
export function fromSentryMetric(action: string, { id = '4', startedAt = '' } = {}) {
  const metric_alert = {
    id,
    identifier: '1',
    alert_rule: { id: '7', name: 'Too many errors', aggregate: 'count()', time_window: 10 },
    date_created: startedAt,
    date_detected: startedAt,
    date_started: startedAt,
    date_closed: null,
    status: 20,
    title: 'Too many errors',
  }
  const data = { metric_alert, description_text: '1000 events', description_title: action }
  return { action, ...sentry, data }
}

/** Returns the webhook of Sentry about an event that has met the rule of an issue alert. */
export function fromSentryEvent(eventId: string) {
  const event = { event_id: eventId, title: 'Error', issue_id: '1170820242', level: 'error' }
  return { action: 'triggered', ...sentry, data: { event, triggered_rule: 'Very important' } }
}
