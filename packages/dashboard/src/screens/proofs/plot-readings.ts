import type { ReadingOutcome } from '@signalbox/contract'

/** Describes one reading of a signal. */
export interface PlottedReading {
  readonly verdict: ReadingOutcome
  readonly value: number | null
}

/** Describes a drawn reading, in the units of the picture. */
export interface Point {
  readonly x: number
  readonly y: number
  readonly verdict: ReadingOutcome
}

interface Plot {
  /** Lists the readings from left to right. */
  readonly points: readonly Point[]
  /** Lists the lines between numbers that follow each other, each as `x,y x,y`. A reading without a number is a gap. */
  readonly lines: readonly string[]
  /** Holds the height of the limit, if there is one and the readings have numbers. */
  readonly limitY: number | undefined
}

const edge = 3

/**
 * Places the readings of a signal in a picture. Numbers stand at their height, with the limit among them; readings without a
 * number stand in the middle.
 */
export function plotReadings(
  readings: readonly PlottedReading[],
  limit: number | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): Plot {
  const values = readings.flatMap(({ value }) => value ?? [])
  const range = limit === undefined || values.length === 0 ? values : [...values, limit]
  const [least, most] = [Math.min(...range), Math.max(...range)]
  const toY = (value: number | null) =>
    value === null || most === least
      ? height / 2
      : edge + ((most - value) / (most - least)) * (height - 2 * edge)
  const step = (width - 2 * edge) / Math.max(1, readings.length - 1)
  const points = readings.map(({ value, verdict }, at) => ({
    x: edge + at * step,
    y: toY(value),
    verdict,
  }))
  return {
    points,
    lines: joinNumbers(readings, points),
    limitY: limit === undefined || values.length === 0 ? undefined : toY(limit),
  }
}

function joinNumbers(
  readings: readonly PlottedReading[],
  points: readonly Point[],
): readonly string[] {
  const lines: string[][] = [[]]
  for (const [at, { x, y }] of points.entries()) {
    if (readings[at]?.value === null) lines.push([])
    else lines.at(-1)?.push(`${x},${y}`)
  }
  return lines.filter(({ length }) => length > 1).map((line) => line.join(' '))
}
