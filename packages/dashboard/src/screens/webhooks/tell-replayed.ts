interface Replayed {
  readonly replayed: number
  /** Whether there are others that the next press would open. */
  readonly hasMore: boolean
}

/** What became of replaying all that failed. */
export function tellReplayed({ replayed, hasMore }: Replayed): string {
  if (replayed === 0) return 'No webhook has failed.'
  const those = replayed === 1 ? '1 webhook is' : `${replayed} webhooks are`
  return `${those} being replayed.${hasMore ? ' Others have failed as well: press again.' : ''}`
}
