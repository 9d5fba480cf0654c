import type { CodeHost } from '../models/code-host.ts'

/** Maps the issues of the story, by their keys in the seeded trackers, to their titles. */
const titles = {
  'ABC-1': 'The basket forgets its currency',
  'ABC-2': 'Show the delivery date',
  'ABC-3': 'Remove the old checkout',
  'WEB2-1': 'Rewrite the start page',
} as const
/** Names an issue of the story by its key in the seeded trackers. */
export type StoryIssue = keyof typeof titles

/** Returns how commits name an issue. Example: `ABC-1`, or `#1` where the issues are the code host's. */
export type NameIssue = (issue: StoryIssue) => string

/** Opens the issues of the story in the shop of a code host, where they are not open yet. The shop is open. */
export function openStoryIssues(host: CodeHost): void {
  if (host.issues().length > 0) return
  for (const title of Object.values(titles)) host.openIssue(title)
}

/**
 * Returns how commits name the issues of the story: as the seeded trackers do, or by their numbers where they are issues of a code
 * host. A commit at another host names their repository as well.
 */
export function toNameIssue(issueHost: CodeHost | undefined, pushedTo: CodeHost): NameIssue {
  if (issueHost === undefined) return (issue) => issue
  const numbers = new Map(issueHost.issues().map(({ title, number }) => [title, number]))
  const repository = issueHost.name === pushedTo.name ? '' : 'acme/shop'
  return (issue) => `${repository}#${numbers.get(titles[issue]) ?? 0}`
}
