import { useId } from 'react'
import { Axis } from './axis.tsx'
import { Columns, type RenderColumn } from './columns.tsx'
import { toPlotArea } from './plot-area.ts'
import { stackSeries, tallest, type BarSeries } from './stack-series.ts'
import { Texture } from './texture.tsx'
import { useWidth } from './use-width.ts'

interface BarChartProps {
  /** Holds the accessible name: one sentence about the data. */
  readonly summary: string
  readonly labels: readonly string[]
  readonly series: readonly BarSeries[]
  /** Returns the tooltip of an item. */
  readonly describe: (at: number) => string
  readonly height?: number
  /** Holds the end of the axis. Default the highest bar. */
  readonly largest?: number
  readonly formatValue?: (value: number) => string
  /** Renders the area of an item, such as a link. Default an area with a tooltip. */
  readonly renderColumn?: RenderColumn
}

const formatCount = (value: number) => String(value)

/** Draws stacked bars. */
export function BarChart({
  summary,
  labels,
  series,
  describe,
  height = 160,
  largest,
  formatValue = formatCount,
  renderColumn,
}: BarChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const id = useId()
  const segments = stackSeries(series)
  const area = toPlotArea(
    { width, height },
    { count: labels.length, largest: largest ?? tallest(segments) },
  )
  const { x, y } = area
  return (
    <div ref={frame} style={{ height }} className="relative">
      {width > 0 && (
        <svg role="img" aria-label={summary} width={width} height={height} className="block">
          <defs>
            {series.map(({ name, color, texture }, at) => (
              <Texture key={name} id={`${id}${at}`} color={color} texture={texture} />
            ))}
          </defs>
          <Axis area={area} labels={labels} formatValue={formatValue} />
          {labels.map((_, at) => (
            <g key={at}>
              {segments
                .filter((segment) => segment.at === at)
                .map((segment) => (
                  <rect
                    key={segment.series.name}
                    x={x(at)}
                    y={y(segment.to)}
                    width={x.bandwidth()}
                    height={y(segment.from) - y(segment.to)}
                    fill={`url(#${id}${series.indexOf(segment.series)})`}
                    className="stroke-panel"
                    pointerEvents="none"
                  />
                ))}
            </g>
          ))}
        </svg>
      )}
      {width > 0 && <Columns area={area} describe={describe} renderColumn={renderColumn} />}
    </div>
  )
}
