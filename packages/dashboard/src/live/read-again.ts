import type { Query, QueryClient } from '@tanstack/react-query'

type Filter = (query: Query) => boolean

/** Those that are read once more when what they are doing is done. */
const marked = new WeakSet<Query>()

/**
 * Reads again what is on the screen and may have changed. What is being read already is read once more when that is done:
 * its answer may be from before the change. It is not cut short, or changes that come one after the other would leave a slow
 * read without any answer.
 */
export function readAgain(client: QueryClient, isMeant: Filter): void {
  // One that waits for the network has pages from before as well.
  const underWay = client
    .getQueryCache()
    .findAll({ predicate: isMeant })
    .filter((query) => query.state.fetchStatus !== 'idle')
  refresh(client, isMeant)
  for (const query of underWay) {
    if (marked.has(query)) continue
    marked.add(query)
    const again = () => {
      marked.delete(query)
      refresh(client, (other) => other === query)
    }
    // The fetch that is under way, and none of its own: it has been shown when this ends.
    void query.fetch().then(again, again)
  }
}

function refresh(client: QueryClient, isMeant: Filter): void {
  void client.invalidateQueries({ predicate: isMeant }, { cancelRefetch: false })
}
