import { scaleBand, scaleLinear, type ScaleBand, type ScaleLinear } from 'd3-scale'

/** Holds the space for the numbers on the left and the days below, in CSS pixels. */
export const margin = { top: 6, right: 4, bottom: 20, left: 44 } as const

/** Describes the area of a chart that shows the data. */
export interface PlotArea {
  readonly width: number
  readonly height: number
  /** Maps the index of an item to its position. */
  readonly x: ScaleBand<number>
  readonly y: ScaleLinear<number, number>
}

/** Returns the area for `count` items whose largest value is `largest`. The axis ends at a round number. */
export function toPlotArea(
  { width, height }: { readonly width: number; readonly height: number },
  { count, largest }: { readonly count: number; readonly largest: number },
): PlotArea {
  const right = Math.max(width - margin.right, margin.left + 1)
  return {
    width,
    height,
    x: scaleBand<number>()
      .domain(Array.from({ length: count }, (_, at) => at))
      .range([margin.left, right])
      .paddingInner(0.18)
      .paddingOuter(0.1),
    y: scaleLinear()
      .domain([0, Math.max(largest, 1)])
      .nice(3)
      .range([height - margin.bottom, margin.top]),
  }
}

/** Returns the indexes of the items with a label, so that labels neither overlap nor are cut off on the right. */
export function pickLabels(count: number, width: number, labelWidth = 64): readonly number[] {
  const fitting = Math.max(1, Math.floor((width - margin.left) / labelWidth))
  const step = Math.max(1, Math.ceil(count / fitting))
  return Array.from({ length: count }, (_, at) => at).filter((at) => at % step === 0)
}
