/** Returns a count in words: `1 flag`, `3 flags`. */
export function countFlags(count: number): string {
  return `${count} ${count === 1 ? 'flag' : 'flags'}`
}
