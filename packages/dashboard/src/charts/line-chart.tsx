import { line } from 'd3-shape'
import { Axis } from './axis.tsx'
import { toPlotArea } from './plot-area.ts'
import { pickTimeUnit } from './time-unit.ts'
import { useWidth } from './use-width.ts'

interface LineChartProps {
  /** Holds what the picture says, in one sentence: its accessible name. */
  readonly summary: string
  readonly labels: readonly string[]
  /** One for each item; `null`: not known, and the line has a gap there. */
  readonly durationsMs: readonly (number | null)[]
  /** Returns what is shown when a point is pointed at. */
  readonly describe: (at: number) => string
  readonly height?: number
}

/** Shows a line from duration to duration. It is straight between them: a curve would show what nobody measured. */
export function LineChart({ summary, labels, durationsMs, describe, height = 84 }: LineChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const largestMs = Math.max(0, ...durationsMs.map((ms) => ms ?? 0))
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
    <div ref={frame} style={{ height }}>
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
              <circle key={at} cx={toX(at)} cy={area.y(value)} r={2.5} className="fill-info">
                <title>{describe(at)}</title>
              </circle>
            ),
          )}
        </svg>
      )}
    </div>
  )
}
