import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import ts from 'typescript-5'
import { importsOf, targetPath } from './imports.ts'
import {
  findingAt,
  isSandboxFile,
  isTestFile,
  root,
  nodesOf,
  type Finding,
  type SourceFile,
} from './source-files.ts'

const watched = /^packages\/(?:server|contract|dashboard)\/src\//
/** A provider's own folder, and the one list of them. The folders left out hold what providers share. */
const home =
  /^packages\/server\/src\/providers\/(?!(?:chat|codehosts|issue-keys|rates|webhooks)\/)(?:[a-z-]+\/|registry\.ts$)/

/** Names the folders of the providers, without `linear`, which time and gradients are, and `vercel`, from which values are imported. */
const folderNames = globSync('packages/server/src/providers/*/index.ts', { cwd: root })
  .map((path) => basename(dirname(path.replaceAll('\\', '/'))))
  .filter((name) => name !== 'linear' && name !== 'vercel')

/**
 * The names and the vocabulary of providers, in identifiers, texts and comments. The providers of today, those that `docs`
 * promise, and those of the exercise in `start/example-providers.test.ts`.
 */
const vocabulary = new RegExp(
  [
    ...folderNames,
    /git ?(?:hub|lab)|bitbucket|gitea|atlassian|\blinear(?:App\b|\b(?!-| in\b| time\b))|_linear_/
      .source,
    /octokit|installation_id|\bdeployment_status\b|mrkdwn|block ?kit|example-?(?:chat|host)/.source,
  ].join('|'),
  'gi',
)

/** The table of credentials by the prefixes that their issuers publish: providers, and many others. */
const issuers = 'packages/contract/src/looks-like-secret.ts'

/** The command line, and what providers share in the sandbox. Their comments and their help may name providers, as documents do; their code may not. */
const codeWatched = /^packages\/(?:cli|sandbox)\/src\//
const named: readonly RegExp[] = [
  // The one list of the pretended providers.
  /^packages\/sandbox\/src\/stand-ins\.ts$/,
  // The GitHub Action, and the three files that know its command by name.
  /\/github\/|\/commands\/server\/github-action\.ts$|\/src\/(?:app|routes|help\/briefs)\.ts$/,
  // The variables by which a pipeline says where it runs. No server is asked about them.
  /\/pipeline\/(?:pull-request-event|read-pipeline)\.ts$/,
  // The name of a file's format.
  /\/importers\/registry\.ts$/,
]

/** The lists that a provider has a line in, each with the file of its folder that the line imports. */
const lists = [
  ['packages/server/src/providers/registry.ts', 'index.ts'],
  ['packages/sandbox/src/stand-ins.ts', 'stand-in/index.ts'],
] as const

/** Lists the providers that a list leaves out. A folder with an `index.ts` is a provider. */
export function unlistedProviders(files: readonly SourceFile[]): string[] {
  const folders = files
    .map(({ path }) => path)
    .filter((path) => /^packages\/server\/src\/providers\/[a-z-]+\/index\.ts$/.test(path))
    .map(dirname)
  return lists.flatMap(([list, index]) => {
    const imports = files.find(({ path }) => path === list)
    const listed = new Set(
      imports && importsOf(imports).map(({ specifier }) => targetPath(imports, specifier)),
    )
    return folders
      .filter((folder) => !listed.has(join(folder, index)))
      .map((folder) => `${list} has no line of ${join(folder, index)}`)
  })
}

/** Links where something is documented, which may be a repository. */
const source = /@see https:\S+/g

/** Lists the files of the product that name a provider outside of its folder, with how often. */
export function providerNames(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !isTestFile(path))
    .flatMap((file) => {
      const { path } = file
      const count = watchedText(file).replaceAll(source, '').match(vocabulary)?.length ?? 0
      return count === 0 ? [] : [`${path} names a provider ${count} times`]
    })
}

/** Returns what of a file may name no provider. */
function watchedText(file: SourceFile): string {
  const { path, text } = file
  if (watched.test(path) && !home.test(path)) return path === issuers ? '' : text
  const isWatched = codeWatched.test(path) && !named.some((allowed) => allowed.test(path))
  return isWatched && text.search(vocabulary) >= 0 ? codeOf(file) : ''
}

/** Returns the identifiers and the texts of one word. Texts of several words are for people. */
function codeOf({ tree }: SourceFile): string {
  return [...nodesOf(tree)]
    .flatMap((node) => (ts.isIdentifier(node) || ts.isStringLiteralLike(node) ? [node.text] : []))
    .filter((word) => !/\s/.test(word))
    .join('\n')
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

/** Matches the clients of providers and their types, as providers and others publish them. */
const clientName =
  /(?:@(?:discordjs|gitbeaker|linear|mattermost|octokit|slack)\/|discord[.-]|forgejo-js|gitea-js|jira\.js)/
const client = new RegExp(`^${clientName.source}`)

/**
 * Lists the imports of such a client outside of tests. Some repeat a POST (`providers/testing/repeating-clients.test.ts`), and the
 * service makes its calls itself. A stand-in imports types, to which its answers are compiled.
 */
export function clientImports(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path, text }) => !isTestFile(path) && clientName.test(text))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => client.test(specifier))
        .filter(({ typeOnly }) => !typeOnly || !isSandboxFile(file.path))
        .map(({ node, specifier }) => findingAt(file, node, `imports ${specifier}`)),
    )
}
