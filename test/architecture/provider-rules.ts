import { dirname, join } from 'node:path/posix'
import { isTestFile, type SourceFile } from './source-files.ts'

const watched = /^packages\/(?:server|contract|dashboard)\/src\//
/** A provider's own folder, and the one list of them. The folders left out hold what providers share. */
const home =
  /^packages\/server\/src\/providers\/(?!(?:chat|codehosts|issue-keys|rates|webhooks)\/)(?:[a-z-]+\/|registry\.ts$)/

/**
 * The names and the vocabulary of providers, in identifiers, texts and comments. The providers of today, those that `docs`
 * promise, and the one of the exercise in `start/example-chat.test.ts`.
 */
const vocabulary =
  /git ?hub|git ?lab|bitbucket|forgejo|gitea|jira|atlassian|\blinear(?:App|\.app)\b|slack|discord|mattermost|octokit|installation_id|\bdeployment_status\b|mrkdwn|block ?kit|example-?chat/gi

/** Links where something is documented, which may be a repository. */
const source = /@see https:\S+/g

/** Lists the files of the product that name a provider outside of its folder, with how often. */
export function providerNames(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => watched.test(path) && !home.test(path) && !isTestFile(path))
    .flatMap(({ path, text }) => {
      const count = text.replaceAll(source, '').match(vocabulary)?.length ?? 0
      return count === 0 ? [] : [`${path} names a provider ${count} times`]
    })
}

const folder = /^packages\/server\/src\/providers\/(?:testing\/)?[a-z-]+\//
const imported = /(?:from|import) '(\.[^']+)'/g

/** Lists the files of the product that import from a provider's folder, besides the registry and the folder itself. */
export function providerImports(files: readonly SourceFile[]): string[] {
  return files
    .filter(
      ({ path }) =>
        watched.test(path) && !path.endsWith('providers/registry.ts') && !isTestFile(path),
    )
    .flatMap(({ path, text }) =>
      [...text.matchAll(imported)].flatMap(([, specifier = '']) => {
        const target = join(dirname(path), specifier)
        const [own] = folder.exec(target) ?? []
        const isForeign = own !== undefined && home.test(target) && !path.startsWith(own)
        return isForeign ? [`${path} imports ${specifier}`] : []
      }),
    )
}
