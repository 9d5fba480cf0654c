import { isTestFile, type SourceFile } from './source-files.ts'

/** How often a file may name a provider. */
export type ProviderNames = ReadonlyMap<string, number>

const watched = /^packages\/(?:server|contract|dashboard)\/src\//
/** A provider's own folder, and the one list of them. */
const home = /^packages\/server\/src\/providers\/(?:[a-z-]+\/|registry\.ts$)/

/**
 * The names and the vocabulary of providers, in identifiers, texts and comments. The providers of today, those that `docs`
 * promise, and the one of the exercise in `start/example-chat.test.ts`.
 */
const vocabulary =
  /git ?hub|git ?lab|bitbucket|forgejo|gitea|jira|atlassian|\blinear(?:App|\.app)\b|slack|discord|mattermost|octokit|mrkdwn|block ?kit|example-?chat/gi

/** Links where something is documented, which may be a repository. */
const source = /@see https:\S+/g

/** Counts how often each file of the product names a provider outside of its folder. */
export function countProviderNames(files: readonly SourceFile[]): ProviderNames {
  const counted = files
    .filter(({ path }) => watched.test(path) && !home.test(path) && !isTestFile(path))
    .map(
      ({ path, text }) =>
        [path, text.replaceAll(source, '').match(vocabulary)?.length ?? 0] as const,
    )
  return new Map(counted.filter(([, count]) => count > 0))
}

/** Lists what differs from what is allowed: more names, and fewer, so that the list shrinks with the code. */
export function providerNameFaults(found: ProviderNames, allowed: ProviderNames): string[] {
  return [...new Set([...found.keys(), ...allowed.keys()])].sort().flatMap((path) => {
    const [count, limit] = [found.get(path) ?? 0, allowed.get(path) ?? 0]
    if (count > limit) return [`${path} names a provider ${count} times; ${limit} are allowed`]
    return count < limit ? [`${path} names a provider ${count} times; lower its ${limit}`] : []
  })
}
