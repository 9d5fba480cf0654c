import type { SignalSpec } from '@signalbox/contract/rest'
import { cutUrl } from '../../egress/cut-url.ts'

/** Describes a signal for those who approve another one: `sum(errors) at https://prometheus.example.com/…: bad above 2`. */
export function describeSpec(spec: SignalSpec): string {
  switch (spec.kind) {
    case 'tests':
      return `${spec.workflow} in ${spec.repository}, within ${spec.deadlineMinutes} minutes`
    case 'alert':
      return spec.format === 'sentry' ? 'alerts of Sentry' : 'alerts'
    case 'prometheus':
      return `${spec.query} at ${cutUrl(spec.url)}: bad ${describeLimit(spec)}`
    case 'http':
      return spec.expect === '2xx'
        ? `${cutUrl(spec.url)}: bad other than 2xx`
        : `${spec.expect.pointer} at ${cutUrl(spec.url)}: bad ${describeLimit(spec.expect)}`
  }
}

interface Limit {
  readonly above?: number | undefined
  readonly below?: number | undefined
  readonly timesBefore?: number | undefined
  readonly equals?: string | number | boolean | undefined
}

/** Says what is bad. Example: `above 2 or above 3 times the value before`. */
function describeLimit({ above, below, timesBefore, equals }: Limit): string {
  return [
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(below === undefined ? [] : [`below ${below}`]),
    ...(timesBefore === undefined ? [] : [`above ${timesBefore} times the value before`]),
    ...(equals === undefined ? [] : [`other than ${JSON.stringify(equals)}`]),
  ].join(' or ')
}
