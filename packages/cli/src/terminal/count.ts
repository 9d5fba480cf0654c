/** Returns a count with its noun, in the plural with an s. Examples: `1 key`, `2 keys`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
