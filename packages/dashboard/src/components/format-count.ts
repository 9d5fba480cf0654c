/** Returns the number of results as a sentence for screen readers. */
export function formatCount(count: number): string {
  if (count === 0) return 'Nothing matches.'
  return count === 1 ? '1 result' : `${count} results`
}
