import type { BarSeries } from './stack-series.ts'

const fills = { accent: 'fill-accent', ok: 'fill-ok', bad: 'fill-bad', warn: 'fill-warn' } as const

interface TextureProps {
  readonly id: string
  readonly color: BarSeries['color']
  readonly texture: BarSeries['texture']
}

/** Renders the fill of a bar: its color, and lines or dots that repeat it without color. */
export function Texture({ id, color, texture }: TextureProps) {
  return (
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse">
      <rect width={6} height={6} className={fills[color]} />
      {texture === 'hatched' && (
        <path d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2" className="stroke-panel" strokeWidth={1.5} />
      )}
      {texture === 'dotted' && <circle cx={3} cy={3} r={1.4} className="fill-panel" />}
    </pattern>
  )
}
