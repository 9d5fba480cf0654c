import { endpoints, type Topic } from '@signalbox/contract/rest'

/**
 * Holds the topics of each endpoint by its route. The build replaces this file by its result (`evaluate-at-build.ts`), so that
 * the page loads the table and not the shapes of every request.
 */
export const topicsByRoute: Readonly<Record<string, readonly Topic[]>> = Object.fromEntries(
  Object.values(endpoints).map(({ method, path, topics }) => [`${method} ${path}`, topics]),
)
