/** Returns how many results a search has, in a sentence that is read out. */
export function formatCount(count: number): string {
  if (count === 0) return 'Nothing matches.'
  return count === 1 ? '1 result' : `${count} results`
}
