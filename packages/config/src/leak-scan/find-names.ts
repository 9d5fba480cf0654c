/** Describes a list of secrets' names in a text, and its position. */
export interface NameList {
  readonly at: number
  readonly names: readonly string[]
}

/** Limits the distance of two names in a list, in characters. A declaration with its description is shorter. */
const distanceMax = 400

const word = /[A-Za-z_][\w.-]*/g

/**
 * Finds where `text` lists secrets, as a bundled definition does: two of their names close together, or the only one
 * there is, as a whole word, unchanged or as an environment variable. One name of several is no list, and neither is
 * a list of plain words alone: `password` and `token` stand together in every sign-in form.
 */
export function findNameLists(text: string, names: readonly string[]): NameList[] {
  const byLetters = new Map(names.map((name) => [lettersOf(name), name]))
  const lists: { at: number; end: number; names: Set<string> }[] = []
  for (const { 0: match, index: at } of text.matchAll(word)) {
    const name = byLetters.get(lettersOf(match))
    if (name === undefined || (match !== name && match !== match.toUpperCase())) continue
    const last = lists.at(-1)
    const end = at + match.length
    if (last === undefined || at - last.end > distanceMax)
      lists.push({ at, end, names: new Set([name]) })
    else {
      last.end = end
      last.names.add(name)
    }
  }
  const least = Math.min(2, byLetters.size)
  return lists
    .filter(({ names }) => names.size >= least && [...names].some(isUnmistakable))
    .map(({ at, names }) => ({ at, names: [...names] }))
}

/** Returns the same text for `stripeKey`, `stripe-key` and `STRIPE_KEY`. */
function lettersOf(name: string): string {
  return name.replaceAll(/[_.-]/g, '').toLowerCase()
}

/** Returns whether a name has several words, so that ordinary text rarely contains it. */
function isUnmistakable(name: string): boolean {
  return name.length >= 6 && /[a-z][A-Z]|[A-Za-z][_.-][A-Za-z]|\d/.test(name)
}
