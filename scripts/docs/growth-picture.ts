/** Describes one curve: its name, and a value for each size. */
export interface Curve {
  readonly name: string
  readonly values: readonly number[]
}

/** Describes a part of the picture: curves that belong together. */
export interface Panel {
  readonly title: string
  readonly curves: readonly Curve[]
}

const panelWidth = 480
const panelHeight = 330
const inset = { left: 48, right: 178, top: 40, bottom: 44 }
const plotWidth = panelWidth - inset.left - inset.right
const plotHeight = panelHeight - inset.top - inset.bottom
/** The axes reach from one to a hundred times; a value below its first one is drawn below the line of one. */
const yRange = { from: 0.5, to: 200 }
const labelHeight = 13

const log = (value: number, { from, to }: { readonly from: number; readonly to: number }) =>
  Math.log(value / from) / Math.log(to / from)

const style = `<style>
  .page { fill: #ffffff } .axis { fill: none; stroke: #6b7280; stroke-width: 1 } .grid { stroke: #e5e7eb; stroke-width: 1 }
  .linear { stroke: #6b7280; stroke-dasharray: 5 4; stroke-width: 1.2 } text { fill: #1f2937; font: 11px system-ui, sans-serif }
  .title { font-weight: 600; font-size: 13px }
  .c0 { stroke: #1d4ed8 } .c1 { stroke: #b91c1c } .c2 { stroke: #047857 } .c3 { stroke: #a16207 } .c4 { stroke: #7e22ce }
  .curve { fill: none; stroke-width: 2 } text.c0, text.c1, text.c2, text.c3, text.c4 { stroke: none }
  text.c0 { fill: #1d4ed8 } text.c1 { fill: #b91c1c } text.c2 { fill: #047857 } text.c3 { fill: #a16207 } text.c4 { fill: #7e22ce }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .grid { stroke: #30363d } text { fill: #e6edf3 } .axis, .linear { stroke: #9ca3af }
    .c0 { stroke: #79b8ff } .c1 { stroke: #ff9492 } .c2 { stroke: #56d364 } .c3 { stroke: #e3b341 } .c4 { stroke: #d2a8ff }
    text.c0 { fill: #79b8ff } text.c1 { fill: #ff9492 } text.c2 { fill: #56d364 } text.c3 { fill: #e3b341 } text.c4 { fill: #d2a8ff }
  }
</style>`

/**
 * Renders curves as an SVG, two panels in a row. Both axes are logarithmic and count from the first size, so a curve as steep as the
 * dashed line grows with the size, and a flat one does not.
 *
 * @param sizes holds how large each size is, in any unit.
 */
export function renderGrowthPicture(sizes: readonly number[], panels: readonly Panel[]): string {
  const rows = Math.ceil(panels.length / 2)
  const [width, height] = [2 * panelWidth, rows * panelHeight]
  const drawn = panels.map(
    (panel, index) =>
      `<g transform="translate(${(index % 2) * panelWidth} ${Math.floor(index / 2) * panelHeight})">${renderPanel(sizes, panel)}</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Growth of ${panels.map(({ title }) => title).join(', ')} with the size of the server">
${style}
<rect class="page" width="${width}" height="${height}"/>
${drawn.join('\n')}
</svg>
`
}

function renderPanel(sizes: readonly number[], { title, curves }: Panel): string {
  const [smallest = 1] = sizes
  const xRange = { from: 1, to: (sizes.at(-1) ?? 1) / smallest }
  const x = (size: number) => place(inset.left + plotWidth * log(size / smallest, xRange))
  const y = (times: number) =>
    place(
      inset.top + plotHeight * (1 - log(Math.min(Math.max(times, yRange.from), yRange.to), yRange)),
    )
  const [left, right] = [inset.left, inset.left + plotWidth]
  const [top, bottom] = [inset.top, inset.top + plotHeight]
  const ticks = [1, 10, 100].map(
    (times) =>
      `<path class="grid" d="M${left} ${y(times)}H${right}"/><text x="${left - 6}" y="${y(times) + 4}" text-anchor="end">${times}×</text>`,
  )
  const marks = sizes.map(
    (size) =>
      `<path class="axis" d="M${x(size)} ${bottom}v4"/><text x="${x(size)}" y="${bottom + 16}" text-anchor="middle">${size.toLocaleString('en', { notation: 'compact' })}</text>`,
  )
  const linear = `<path class="linear" d="M${left} ${y(1)}L${right} ${y(xRange.to)}"/>`
  const lines = curves.map(({ values: [first = 1, ...others] }, index) => {
    const points = [first, ...others].map((value, at) => `${x(sizes[at] ?? 1)} ${y(value / first)}`)
    return `<path class="curve c${index}" d="M${points.join('L')}"/>`
  })
  const ends = [
    ...curves.map(({ name, values: [first = 1, ...others] }, index) => ({
      name,
      style: `c${index}`,
      at: y((others.at(-1) ?? first) / first),
    })),
    { name: 'as the size', style: 'as-size', at: y(xRange.to) },
  ]
  const labels = spread(
    ends.map(({ at }) => at),
    bottom,
  ).map(
    (at, index) =>
      `<text class="${ends[index]?.style}" x="${right + 6}" y="${at + 4}">${ends[index]?.name}</text>`,
  )
  return [
    `<text class="title" x="${left}" y="20">${title}</text>`,
    ...ticks,
    ...marks,
    `<path class="axis" d="M${left} ${top}V${bottom}H${right}"/>`,
    linear,
    ...lines,
    ...labels,
    `<text x="${left}" y="${top - 6}">times as much as at the first size</text>`,
    `<text x="${right}" y="${bottom + 34}" text-anchor="end">deployments</text>`,
  ].join('\n')
}

/** Moves labels apart that would lie on each other, from the lowest to the highest. */
function spread(places: readonly number[], bottom: number): number[] {
  const order = places.map((at, index) => ({ at, index })).toSorted((a, b) => b.at - a.at)
  const moved = [...places]
  let limit = bottom + labelHeight
  for (const { at, index } of order) {
    limit = Math.min(at, limit - labelHeight)
    moved[index] = place(limit)
  }
  return moved
}

const place = (value: number) => Number(value.toFixed(1))
