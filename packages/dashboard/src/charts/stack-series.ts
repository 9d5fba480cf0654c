import { stack } from 'd3-shape'

/** Describes one series of stacked bars. */
export interface BarSeries {
  readonly name: string
  /** Sets the color. `texture` repeats it for people who do not see the color. */
  readonly color: 'accent' | 'ok' | 'bad' | 'warn'
  readonly texture: 'plain' | 'hatched' | 'dotted'
  /** Holds one value for each item. */
  readonly values: readonly number[]
}

/** Describes a segment of a bar, from one value to another. */
export interface Segment {
  readonly series: BarSeries
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Returns the segments of all bars, stacked in the order of the series. Empty segments are left out. */
export function stackSeries(series: readonly BarSeries[]): readonly Segment[] {
  const count = Math.max(0, ...series.map(({ values }) => values.length))
  const items = Array.from({ length: count }, (_, at) => at)
  const stacked = stack<number, BarSeries>()
    .keys(series)
    .value((at, { values }) => values[at] ?? 0)(items)
  return stacked.flatMap((layer) =>
    layer.flatMap(([from, to], at) => (to > from ? [{ series: layer.key, at, from, to }] : [])),
  )
}

/** Returns the height of the highest bar. */
export function tallest(segments: readonly Segment[]): number {
  return Math.max(0, ...segments.map(({ to }) => to))
}
