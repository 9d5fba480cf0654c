import { percentile, recordResult } from '../record.ts'

/** Describes a figure of each product, which a reader compares. */
export interface Column {
  readonly title: string
  readonly better: 'more' | 'less'
  /** Says why we are not the best one, and what would change that. Shown where we are not. */
  readonly why?: string
}

/** Holds what was measured of one product, in the order of the columns. `null`: it has no such thing. */
export interface Line {
  readonly name: string
  readonly version: string
  /** Says what was called, and what was switched off. */
  readonly setup: string
  readonly values: readonly (number | null)[]
}

/** Holds a comparison as `bench/results` keeps it, ours in the first line. */
export interface Comparison {
  readonly columns: readonly Column[]
  readonly lines: readonly Line[]
}

/** Names the best of the others in a column, and whether we are at least as good. */
export interface Standing {
  readonly column: Column
  readonly ours: number
  readonly best: { readonly name: string; readonly value: number }
  readonly isAhead: boolean
}

/** Compares our line with the best of the products. Further lines of ours begin with our name. */
export function compareLines({ columns, lines }: Comparison): readonly Standing[] {
  const [ours] = lines
  const others = lines.filter(({ name }) => !name.startsWith(ours?.name ?? ''))
  return columns.flatMap((column, at) => {
    const own = ours?.values[at]
    const sign = column.better === 'more' ? -1 : 1
    const [best] = others
      .flatMap(({ name, values }) => {
        const value = values[at]
        return value === null || value === undefined ? [] : [{ name, value }]
      })
      .sort((one, other) => sign * (one.value - other.value))
    if (own === null || own === undefined || best === undefined) return []
    return [{ column, ours: own, best, isAhead: sign * (own - best.value) <= 0 }]
  })
}

export const median = (values: readonly number[]) => percentile(values, 0.5)

/** Records a comparison as a figure, with everything that was measured for it. */
export function recordComparison(
  figure: string,
  what: string,
  comparison: Comparison,
  more: Readonly<Record<string, unknown>>,
): void {
  const standings = compareLines(comparison)
  const render = ({ column, ours, best, isAhead }: Standing) =>
    `${column.title}: ${ours} ${isAhead ? 'beside' : '**behind**'} ${best.value} (${best.name})`
  recordResult({
    figure,
    what,
    reach: 'ahead of every product in every column',
    found: standings.map(render).join('; '),
    reached: standings.every(({ isAhead }) => isAhead),
    measured: { ...comparison, ...more },
  })
}
