import { unnamedClient } from '../../identity/members/agent-tokens/agent-tokens.ts'

const mostCharacters = 60

/**
 * Returns the name that a program gives itself, as it is shown and stored: letters, digits and a few marks, so that it cannot
 * pretend to be a sentence. Example: `claude-code 2.3`.
 */
export function toClientName(
  info: { readonly name?: unknown; readonly version?: unknown } | undefined,
  userAgent: string | undefined,
): string {
  const parts = [info?.name, info?.version].filter((part) => typeof part === 'string')
  const named = parts.join(' ')
  const product = /^[\w.-]+\/[\w.-]+/.exec(userAgent ?? '')?.[0]?.replace('/', ' ')
  const clean = (named === '' ? (product ?? '') : named)
    .replaceAll(/[^A-Za-z0-9 ._/@+-]+/g, ' ')
    .trim()
    .slice(0, mostCharacters)
  return clean === '' ? unnamedClient : clean
}
