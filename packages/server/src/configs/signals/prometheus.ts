import type { SignalSpec } from '@signalbox/contract/rest'
import { isRecord, limitsOf, noData, showNumber } from './readings.ts'
import type { Reading } from './signal.ts'

type PrometheusSpec = Extract<SignalSpec, { readonly kind: 'prometheus' }>

/** Maps the labels of each series to its value. */
export type Series = ReadonlyMap<string, number>

/** Returns the address of instant queries of a server. */
export function toQueryUrl(url: string): string {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/api/v1/query`
  return address.href
}

/**
 * Reads the answer to an instant query: a vector or a scalar, whose numbers are texts. `NaN` is left out, because it says nothing.
 * `undefined`: the answer is another one. https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries
 */
export function readSeries(answer: unknown): Series | undefined {
  if (!isRecord(answer) || answer['status'] !== 'success' || !isRecord(answer['data']))
    return undefined
  const { resultType, result } = answer['data']
  if (!Array.isArray(result)) return undefined
  const samples: readonly (readonly [unknown, unknown])[] | undefined =
    resultType === 'scalar'
      ? [['', result]]
      : resultType === 'vector'
        ? result.map((each) => [isRecord(each) && each['metric'], isRecord(each) && each['value']])
        : undefined
  if (samples === undefined) return undefined
  const values = samples.map(([labels, sample]) => [nameOf(labels), readSample(sample)] as const)
  if (values.some(([, value]) => value === undefined)) return undefined
  return new Map(
    values.flatMap(([name, value]) =>
      value === undefined || Number.isNaN(value) ? [] : [[name, value] as const],
    ),
  )
}

function nameOf(labels: unknown): string {
  return JSON.stringify(
    isRecord(labels)
      ? Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1))
      : labels,
  )
}

const words = new Map([
  ['+Inf', Infinity],
  ['-Inf', -Infinity],
  ['NaN', NaN],
])

/** Reads `[1764500000, "4.2"]`. */
function readSample(sample: unknown): number | undefined {
  const text: unknown = Array.isArray(sample) ? sample[1] : undefined
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const value = words.get(text) ?? Number(text)
  return Number.isNaN(value) && text !== 'NaN' ? undefined : value
}

/** Judges the series of now by the limits, and by those from before the change. The worst one counts. */
export function judgeSeries(spec: PrometheusSpec, now: Series, before: Series): Reading {
  const readings = [...now].map(([name, value]) => judge(spec, value, before.get(name)))
  const [first, ...others] = readings
  if (first === undefined) return noData('has no value')
  return others.reduce((worst, each) => (each.badness > worst.badness ? each : worst), first)
    .reading
}

interface Judged {
  readonly reading: Reading
  /** Orders the series: how far one is beyond its limit, or else how close to it. */
  readonly badness: number
}

function judge(spec: PrometheusSpec, value: number, before: number | undefined): Judged {
  const { above, below, timesBefore } = spec
  const isCompared = timesBefore !== undefined && before !== undefined && before > 0
  const limits = [
    ...limitsOf({ above, below }, value),
    ...(isCompared
      ? [
          {
            excess: value - timesBefore * before,
            text: `above ${timesBefore} times the ${showNumber(before)} before`,
          },
        ]
      : []),
  ]
  const worst = limits.toSorted((one, other) => other.excess - one.excess)[0]
  const isBad = worst !== undefined && worst.excess > 0
  const detail = `was ${showNumber(value)}${isBad ? `, ${worst.text}` : ''}`
  return {
    badness: worst?.excess ?? -Infinity,
    reading: {
      verdict: isBad ? 'bad' : 'good',
      value: Number.isFinite(value) ? value : null,
      detail,
    },
  }
}
