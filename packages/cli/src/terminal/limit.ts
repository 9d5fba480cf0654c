/** Limits what a person is shown of one kind without `--verbose`. */
const mostLines = 20

/** Shortens long lists for people: the first of them and the number of the others, or with `--verbose` all. */
export interface Limit {
  /** Returns the first of each kind, in their order, and a line for each kind of which there are more. */
  cut<T>(
    items: readonly T[],
    kindOf?: (item: T) => string,
  ): { readonly first: readonly T[]; readonly rest: readonly string[] }
  /** Returns the first lines, and one that counts the others. */
  lines(lines: readonly string[]): readonly string[]
  /** Joins names by commas. Example: `a, b, … and 3 more`. */
  join(names: readonly string[]): string
}

/** Creates the limit of a command. */
export function createLimit(verbose: boolean): Limit {
  const most = verbose ? Number.POSITIVE_INFINITY : mostLines
  const cut: Limit['cut'] = (items, kindOf = () => '') => {
    const groups = Map.groupBy(items, kindOf)
    const firsts = new Set([...groups.values()].flatMap((group) => group.slice(0, most)))
    const rest = [...groups]
      .filter(([, group]) => group.length > most)
      .map(
        ([kind, { length }]) => `${more(length - most)}${kind && ` ${kind}`} (--verbose shows all)`,
      )
    return { first: items.filter((item) => firsts.has(item)), rest }
  }
  return {
    cut,
    lines: (lines) => {
      const rest = lines.length - most
      return rest > 0 ? [...lines.slice(0, most), `${more(rest)} (--verbose shows all)`] : lines
    },
    join: (names) => {
      const rest = names.length - most
      return [...names.slice(0, most), ...(rest > 0 ? [more(rest)] : [])].join(', ')
    },
  }
}

function more(count: number): string {
  return `… and ${count} more`
}
