import type { Query, QueryClient } from '@tanstack/react-query'
import type { WriteRoute } from './routes.ts'
import { topicsByRoute } from './topics-by-route.ts'

/** A topic that this build does not know, such as of a newer server, counts as everything. */
const knownTopics: ReadonlySet<string> = new Set(Object.values(topicsByRoute).flat())

let isFollowing = false

/** Notes whether the server tells this page at the moment of everything that changes. */
export function noteFollowing(isLive: boolean): void {
  isFollowing = isLive
}

/** Returns whether a read that is on the screen shows what a topic is about. */
export function showsTopic({ queryKey }: Pick<Query, 'queryKey'>, topic: string): boolean {
  return !knownTopics.has(topic) || topicsOf(queryKey).includes(topic)
}

/**
 * Reads again what a write may have changed: what shares a topic with it. Everything that is on the screen where the server
 * tells this page of nothing, since what the write changed besides would stay as it was.
 */
export async function refreshAfterWrite(client: QueryClient, route: WriteRoute): Promise<void> {
  const written = topicsOf([route])
  await client.invalidateQueries({
    predicate: ({ queryKey }) =>
      !isFollowing || topicsOf(queryKey).some((topic) => written.includes(topic)),
  })
}

function topicsOf([route]: readonly unknown[]): readonly string[] {
  return (typeof route === 'string' && topicsByRoute[route]) || []
}
