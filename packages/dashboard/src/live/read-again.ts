import type { Query, QueryClient } from '@tanstack/react-query'

type Filter = (query: Query) => boolean

/** Holds the queries to read once more when their current fetch ends. */
const marked = new WeakSet<Query>()

/**
 * Reads again the queries on the screen that may have changed. A query that is being fetched is fetched once more
 * afterwards, because its response may be from before the change. The current fetch is not cancelled: otherwise a
 * series of changes would keep a slow read from ever finishing.
 */
export function readAgain(client: QueryClient, isMeant: Filter): void {
  // Includes queries that wait for the network: they hold pages from before the change.
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
    // Joins the current fetch and starts none. Its result has been shown when this resolves.
    void query.fetch().then(again, again)
  }
}

function refresh(client: QueryClient, isMeant: Filter): void {
  void client.invalidateQueries({ predicate: isMeant }, { cancelRefetch: false })
}
