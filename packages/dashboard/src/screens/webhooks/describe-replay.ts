interface Replayed {
  readonly replayed: number
  /** Says whether another press would replay more. */
  readonly hasMore: boolean
}

/** Returns the result of replaying all failed webhooks, in words. */
export function describeReplay({ replayed, hasMore }: Replayed): string {
  if (replayed === 0) return 'No webhook has failed.'
  const those = replayed === 1 ? '1 webhook is' : `${replayed} webhooks are`
  return `${those} being replayed.${hasMore ? ' More have failed: press again.' : ''}`
}
