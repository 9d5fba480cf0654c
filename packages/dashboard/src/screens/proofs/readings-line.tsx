import type { ReadingOutcome } from '@signalbox/contract'
import { plotReadings, type PlottedReading, type Point } from './plot-readings.ts'

const box = { width: 160, height: 24 } as const

const colors: Readonly<Record<ReadingOutcome, string>> = {
  good: 'fill-ok',
  bad: 'fill-bad',
  none: 'fill-none stroke-muted',
}

/** Names the readings in a sentence. Example: `12 good, 1 bad, 0 without data`. */
export function countReadings(counts: Readonly<Record<ReadingOutcome, number>>): string {
  return `${counts.good} good, ${counts.bad} bad, ${counts.none} without data`
}

interface ReadingsLineProps {
  /** Names the signal. */
  readonly name: string
  readonly readings: readonly PlottedReading[]
  /** Holds the number beyond which a reading is bad. */
  readonly limit: number | undefined
}

/** Draws the readings of a signal as a small line, with the limit dashed. A bad one is a square, one without data is hollow. */
export function ReadingsLine({ name, readings, limit }: ReadingsLineProps) {
  if (readings.length === 0) return null
  const { points, lines, limitY } = plotReadings(readings, limit, box)
  const counts = { good: 0, bad: 0, none: 0 }
  for (const { verdict } of readings) counts[verdict] += 1
  return (
    <svg
      role="img"
      aria-label={`Readings of ${name}: ${countReadings(counts)}`}
      viewBox={`0 0 ${box.width} ${box.height}`}
      className="h-6 w-40 max-w-full shrink-0"
    >
      {limitY !== undefined && (
        <line
          x1={0}
          x2={box.width}
          y1={limitY}
          y2={limitY}
          strokeDasharray="3 3"
          className="stroke-bad"
        />
      )}
      {lines.map((line) => (
        <polyline key={line} points={line} className="fill-none stroke-muted" />
      ))}
      {points.map((point) => (
        <Mark key={point.x} point={point} />
      ))}
    </svg>
  )
}

function Mark({ point: { x, y, verdict } }: { readonly point: Point }) {
  const className = colors[verdict]
  return verdict === 'bad' ? (
    <rect x={x - 2.5} y={y - 2.5} width={5} height={5} className={className} />
  ) : (
    <circle cx={x} cy={y} r={2} className={className} />
  )
}
