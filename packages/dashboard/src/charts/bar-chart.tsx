import { useId } from 'react'
import { Axis } from './axis.tsx'
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
  /** Marks items without a bar, such as a run in which all tests passed. */
  readonly marks?: readonly boolean[]
  readonly height?: number
}

const formatCount = (value: number) => String(value)

/** Draws stacked bars. */
export function BarChart({
  summary,
  labels,
  series,
  describe,
  marks,
  height = 160,
}: BarChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const id = useId()
  const segments = stackSeries(series)
  const area = toPlotArea({ width, height }, { count: labels.length, largest: tallest(segments) })
  const { x, y } = area
  return (
    <div ref={frame} style={{ height }}>
      {width > 0 && (
        <svg role="img" aria-label={summary} width={width} height={height} className="block">
          <defs>
            {series.map(({ name, color, texture }, at) => (
              <Texture key={name} id={`${id}${at}`} color={color} texture={texture} />
            ))}
          </defs>
          <Axis area={area} labels={labels} formatValue={formatCount} />
          {labels.map((_, at) => (
            <g key={at}>
              <title>{describe(at)}</title>
              <rect
                x={x(at)}
                y={0}
                width={x.bandwidth()}
                height={y(0)}
                className="fill-transparent hover:fill-raised/60"
              />
              {marks?.[at] === true && (
                <rect x={x(at)} y={y(0) - 3} width={x.bandwidth()} height={3} className="fill-ok" />
              )}
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
    </div>
  )
}
