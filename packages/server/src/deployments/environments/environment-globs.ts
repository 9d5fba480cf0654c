/**
 * Returns whether a name fits a glob. `*` is any run of characters but `/`, `**` any run at all, `?` one character but `/`;
 * everything else matches itself. Case is ignored, as people ignore it. Example: `preview/*` fits `Preview/42`.
 *
 * Time grows with the product of the lengths at worst, and no regular expression is made from what people type.
 */
export function fitsGlob(pattern: string, name: string): boolean {
  const tokens = tokenize(pattern.toLowerCase())
  // Reached: how many tokens can account for the characters so far.
  let reached = closeOver(tokens, new Set([0]))
  for (const character of name.toLowerCase()) {
    const next = new Set<number>()
    for (const at of reached) {
      const token = tokens[at]
      if (token !== undefined && accepts(token, character)) next.add(isRun(token) ? at : at + 1)
    }
    if (next.size === 0) return false
    reached = closeOver(tokens, next)
  }
  return reached.has(tokens.length)
}

type Token =
  | { readonly kind: 'run' | 'deepRun' | 'one' }
  | { readonly kind: 'literal'; text: string }

function tokenize(pattern: string): Token[] {
  const tokens: Token[] = []
  for (const character of pattern) {
    const before = tokens.at(-1)
    if (character === '*' && before?.kind === 'run') tokens[tokens.length - 1] = { kind: 'deepRun' }
    else if (character === '*' && before?.kind === 'deepRun') continue
    else if (character === '*') tokens.push({ kind: 'run' })
    else if (character === '?') tokens.push({ kind: 'one' })
    else tokens.push({ kind: 'literal', text: character })
  }
  return tokens
}

function isRun({ kind }: Token): boolean {
  return kind === 'run' || kind === 'deepRun'
}

function accepts(token: Token, character: string): boolean {
  if (token.kind === 'literal') return token.text === character
  return token.kind === 'deepRun' || character !== '/'
}

/** A run may be empty, so the token after it is reached with it. */
function closeOver(tokens: readonly Token[], reached: Set<number>): Set<number> {
  for (const at of reached) {
    const token = tokens[at]
    // Iterating over a set includes the elements that are added during the iteration.
    if (token !== undefined && isRun(token)) reached.add(at + 1)
  }
  return reached
}
