import type { Query, QueryClient } from '@tanstack/react-query'
import type { WriteRoute } from './routes.ts'
import { topicsByRoute } from './topics-by-route.ts'

/** Lists the topics that this build knows. Any other one, such as of a newer server, counts as everything. */
const knownTopics: ReadonlySet<string> = new Set(Object.values(topicsByRoute).flat())

let isFollowing = false

/** Notes whether this page receives changes from the server at the moment. */
export function noteFollowing(isLive: boolean): void {
  isFollowing = isLive
}

/** Returns whether a read on the screen belongs to a topic. */
export function showsTopic({ queryKey }: Pick<Query, 'queryKey'>, topic: string): boolean {
  return !knownTopics.has(topic) || topicsOf(queryKey).includes(topic)
}

/**
 * Reads again what a write may have changed: the reads that share a topic with it. While the page receives no
 * changes, it reads everything on the screen again, because the write may have changed more than that.
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
