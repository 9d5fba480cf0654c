import { endpoints, type Topic } from '@signalbox/contract/rest'

/**
 * Maps each route to its topics. The build replaces this file by its result (`evaluate-at-build.ts`), so that the
 * page loads the table without the request schemas.
 */
export const topicsByRoute: Readonly<Record<string, readonly Topic[]>> = Object.fromEntries(
  Object.values(endpoints).map(({ method, path, topics }) => [`${method} ${path}`, topics]),
)
