/** Lists the content codings of our answers. */
export type Coding = 'identity' | 'gzip' | 'br'

const remembered = new Map<string, Coding>()
const rememberedMax = 64

/**
 * Returns the best coding that `Accept-Encoding` allows; `identity` when the header is absent or allows none of ours.
 */
export function chooseCoding(acceptEncoding: string | string[] | undefined): Coding {
  if (acceptEncoding === undefined) return 'identity'
  if (typeof acceptEncoding === 'object') return chooseCoding(acceptEncoding.join(','))
  const known = remembered.get(acceptEncoding)
  if (known !== undefined) return known
  const chosen = parseAcceptEncoding(acceptEncoding)
  if (remembered.size < rememberedMax) remembered.set(acceptEncoding, chosen)
  return chosen
}

function parseAcceptEncoding(header: string): Coding {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0
  const [br, gzip] = [weightOf('br'), weightOf('gzip')]
  const identity = weights.get('identity') ?? 0
  if (br > 0 && br >= gzip && br >= identity) return 'br'
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity'
}
