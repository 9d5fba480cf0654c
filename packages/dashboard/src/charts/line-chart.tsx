import { line } from 'd3-shape'
import { Axis } from './axis.tsx'
import { Columns, type RenderColumn } from './columns.tsx'
import { toPlotArea } from './plot-area.ts'
import { pickTimeUnit } from './time-unit.ts'
import { useWidth } from './use-width.ts'

const height = 84

interface LineChartProps {
  /** Holds the accessible name: one sentence about the data. */
  readonly summary: string
  readonly labels: readonly string[]
  /** Holds one duration for each item. `null`: unknown, which leaves a gap in the line. */
  readonly durationsMs: readonly (number | null)[]
  /** Returns the tooltip of a point. */
  readonly describe: (at: number) => string
  /** Sets how far the axis reaches at least, in milliseconds, so that small durations don't look large. */
  readonly leastMs?: number
  /** Renders the area above and below a point, such as a link. Default an area with a tooltip. */
  readonly renderColumn?: RenderColumn
}

/** Draws durations as a line. It is straight between them, because a curve would show values that nobody measured. */
export function LineChart({
  summary,
  labels,
  durationsMs,
  describe,
  leastMs = 0,
  renderColumn,
}: LineChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const largestMs = Math.max(leastMs, ...durationsMs.map((ms) => ms ?? 0))
  const unit = pickTimeUnit(largestMs)
  const values = durationsMs.map((ms) => (ms === null ? null : ms / unit.ms))
  const largest = largestMs / unit.ms
  const area = toPlotArea({ width, height }, { count: labels.length, largest })
  const toX = (at: number) => (area.x(at) ?? 0) + area.x.bandwidth() / 2
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, at) => toX(at))
    .y((value) => area.y(value ?? 0))([...values])
  return (
    <div ref={frame} style={{ height }} className="relative">
      {width > 0 && (
        <svg role="img" aria-label={summary} width={width} height={height} className="block">
          <Axis
            area={area}
            labels={labels}
            formatValue={(value) => (value === 0 ? '0' : `${value} ${unit.name}`)}
            whole={false}
            ticks={2}
          />
          <path d={path ?? ''} className="fill-none stroke-info" strokeWidth={1.5} />
          {values.map((value, at) =>
            value === null ? null : (
              <circle key={at} cx={toX(at)} cy={area.y(value)} r={2.5} className="fill-info" />
            ),
          )}
        </svg>
      )}
      {width > 0 && <Columns area={area} describe={describe} renderColumn={renderColumn} />}
    </div>
  )
}
