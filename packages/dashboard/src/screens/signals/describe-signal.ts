import type { ReadingOutcome, SignalKind } from '@signalbox/contract'
import type { Tone } from '../../components/badge.tsx'
import type { Signal } from '../proofs/use-signals.ts'

/** Maps each kind of signal to its name and what it does, in the order of the form. */
export const kindWords: Readonly<
  Record<SignalKind, { readonly name: string; readonly help: string }>
> = {
  alert: {
    name: 'An alert',
    help: 'Alertmanager, Grafana, Sentry or a script sends its alerts to an address here. Bad: one is firing.',
  },
  tests: {
    name: 'A test run',
    help: 'Signalbox starts a workflow of a repository for each change. Bad: the run fails.',
  },
  prometheus: {
    name: 'A Prometheus query',
    help: 'Signalbox asks Prometheus while a change is watched. Bad: the number is beyond a limit.',
  },
  http: {
    name: 'A page',
    help: 'Signalbox reads an address, such as a health check. Bad: it answers something else than expected.',
  },
}

/** Maps what a reading says to its word and color. */
export const readingWords: Readonly<Record<ReadingOutcome, readonly [word: string, tone: Tone]>> = {
  good: ['Good', 'ok'],
  bad: ['Bad', 'bad'],
  none: ['No data', 'neutral'],
}

/** Returns when a signal is bad. A person who may not see where it reads gets its kind. */
export function describeSignal({ kind, spec }: Pick<Signal, 'kind' | 'spec'>): string {
  return spec === null ? kindWords[kind].name : `Bad when ${describeBad(spec)}.`
}

function describeBad(spec: NonNullable<Signal['spec']>): string {
  switch (spec.kind) {
    case 'tests':
      return `a run of ${spec.workflow} in ${spec.repository} fails`
    case 'alert':
      return spec.format === 'sentry' ? 'Sentry sends an alert' : 'an alert is firing'
    case 'prometheus':
      return `${spec.query} is ${describeLimits(spec)}`
    case 'http':
      return describePage(spec)
  }
}

interface Limits {
  readonly above?: number | undefined
  readonly below?: number | undefined
  readonly timesBefore?: number | undefined
}

function describeLimits({ above, below, timesBefore }: Limits): string {
  return [
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(below === undefined ? [] : [`below ${below}`]),
    ...(timesBefore === undefined ? [] : [`above ${timesBefore} × the value before the change`]),
  ].join(', or ')
}

function describePage({
  url,
  expect,
}: Extract<NonNullable<Signal['spec']>, { readonly kind: 'http' }>): string {
  if (expect === '2xx') return `${url} does not answer with a 2xx status`
  const { pointer, equals } = expect
  const is = equals === undefined ? describeLimits(expect) : `not ${JSON.stringify(equals)}`
  return `${pointer === '' ? 'the answer' : pointer} of ${url} is ${is}`
}
