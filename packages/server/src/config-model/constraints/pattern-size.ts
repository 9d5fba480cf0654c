/** Describes what compiling and matching a pattern costs. */
interface PatternSize {
  /** Roughly the instructions of the compiled program: a part that is repeated counts as often as it is repeated. */
  readonly instructions: number
  /** Classes such as `\p{L}`: tables of hundreds of ranges. */
  readonly propertyClasses: number
}

/** One atom, bracket or quantifier of a regular expression with the `u` flag. */
const tokens =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:<(?![=!])[^>]*>|<?[=!]|[a-z-]*:))?|\)|\{\d+(?:,\d*)?\}|[^]/gu
const capturingGroup = /^\((?:$|\?<(?![=!]))/

/** Measures a pattern in one pass over its text, before anything is compiled. Example: `^(?:ab?){100}$` has 302. */
export function measurePattern(source: string): PatternSize {
  const outer: { readonly before: number; readonly own: number }[] = []
  let instructions = 0
  let last = 0
  for (const [token] of source.matchAll(tokens)) {
    if (token.startsWith('(')) {
      outer.push({ before: instructions, own: capturingGroup.test(token) ? 2 : 0 })
      instructions = 0
    } else if (token === ')') {
      const { before, own } = outer.pop() ?? { before: 0, own: 0 }
      last = instructions + own
      instructions = before + last
    } else if (/^\{\d/.test(token)) {
      const once = last
      last = repeat(once, token)
      instructions += last - once
    } else {
      // A quantifier adds one instruction, and a further quantifier repeats that one too.
      last = /^[*+?]$/.test(token) ? last + 1 : 1
      instructions += 1
    }
  }
  return { instructions, propertyClasses: source.match(/\\[pP]\{/g)?.length ?? 0 }
}

/**
 * Returns how many instructions `{3}`, `{3,}` or `{3,7}` makes of a part of `once`: each copy that may be left out has
 * one more, which decides about it.
 */
function repeat(once: number, braces: string): number {
  const [least = 0, most = least] = (braces.match(/\d+/g) ?? []).map(Number)
  const certain = Math.max(least, 1) * once
  if (braces.endsWith(',}')) return certain + 1
  return Math.max(least * once + (most - least) * (once + 1), once)
}
