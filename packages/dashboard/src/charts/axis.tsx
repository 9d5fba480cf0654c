import { margin, pickLabels, type PlotArea } from './plot-area.ts'

interface AxisProps {
  readonly area: PlotArea
  /** Holds the label below each item. */
  readonly labels: readonly string[]
  readonly formatValue: (value: number) => string
  /** Shows whole numbers only, as for counts. */
  readonly whole?: boolean
  /** Sets the number of lines. Default: as many as fit. */
  readonly ticks?: number
}

/**
 * Draws horizontal lines with their numbers on the left, and the days below. Text keeps the size of the page at every
 * width.
 */
export function Axis({ area, labels, formatValue, whole = true, ticks = 3 }: AxisProps) {
  const { x, y, width, height } = area
  const values = y.ticks(ticks).filter((value) => !whole || Number.isInteger(value))
  return (
    <g aria-hidden className="text-xs">
      {values.map((value) => (
        <g key={value} transform={`translate(0,${y(value)})`}>
          <line x1={margin.left} x2={width - margin.right} className="stroke-line" />
          <text x={margin.left - 8} dy="0.32em" textAnchor="end" className="fill-muted">
            {formatValue(value)}
          </text>
        </g>
      ))}
      {pickLabels(labels.length, width).map((at) => (
        <text
          key={at}
          x={(x(at) ?? 0) + x.bandwidth() / 2}
          y={height - 4}
          textAnchor={at > 0 && at === labels.length - 1 ? 'end' : 'middle'}
          className="fill-muted"
        >
          {labels[at]}
        </text>
      ))}
    </g>
  )
}
