/** Matches what a label of a link means, as Markdown writes it below the text. Example: `[1]: https://example.com/issues/13` */
const definition = /^ {0,3}\[([^[\]]{1,100})\]: {0,4}<?(https?:\/\/[^\s>]{1,300})/gm
/** Matches a link by its label: `[text][1]`, or `[text][]` and `[text]`, which are labels themselves. No address or definition follows. */
const reference = /\[([^[\]]{1,300})\](?:\[([^[\]]{0,100})\])?(?![[(:])/g

/** Limits the links that are written out: each may be a hundred times as long as its label. */
const linksMax = 200

/**
 * Writes links by a label as links to the address that the label means, because a number in the text of a link means what the link
 * points at. Labels without a meaning stay as they are: `[ABC-1][ABC-2]` are two keys.
 */
export function inlineLinks(text: string): string {
  if (!text.includes(']: ')) return text
  const addresses = new Map(
    Array.from(text.matchAll(definition), ([, label = '', address = '']) => [
      label.toLowerCase(),
      address,
    ]),
  )
  if (addresses.size === 0) return text
  let left = linksMax
  const inlined = text.replace(reference, (whole, words: string, label?: string) => {
    const address = addresses.get((label || words).toLowerCase())
    if (address === undefined || left === 0) return whole
    left -= 1
    return `[${words}](${address})`
  })
  // A label may be a number as well.
  return inlined.replace(definition, (_whole, label, address) => `[${label}](${address})`)
}
