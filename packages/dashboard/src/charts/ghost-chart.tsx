import { Axis } from './axis.tsx'
import { toPlotArea } from './plot-area.ts'
import { useWidth } from './use-width.ts'

interface GhostChartProps {
  /** Says when data will appear. */
  readonly children: string
  readonly height?: number
}

/** Draws the axes of a chart without data, and says when data will appear. */
export function GhostChart({ children, height = 160 }: GhostChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const area = toPlotArea({ width, height }, { count: 1, largest: 10 })
  return (
    <div ref={frame} style={{ height }} className="relative">
      {width > 0 && (
        <svg aria-hidden width={width} height={height} className="block">
          <Axis area={area} labels={[]} formatValue={String} />
        </svg>
      )}
      <p className="absolute inset-0 flex items-center justify-center pr-4 pl-12 text-center max-sm:text-sm">
        <span className="rounded bg-panel px-2 py-1 text-muted">{children}</span>
      </p>
    </div>
  )
}
