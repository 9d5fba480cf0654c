interface Replayed {
  readonly replayed: number
  /** Says whether there are others that the next press would open. */
  readonly hasMore: boolean
}

/** Returns what became of replaying all that failed. */
export function describeReplay({ replayed, hasMore }: Replayed): string {
  if (replayed === 0) return 'No webhook has failed.'
  const those = replayed === 1 ? '1 webhook is' : `${replayed} webhooks are`
  return `${those} being replayed.${hasMore ? ' Others have failed as well: press again.' : ''}`
}
