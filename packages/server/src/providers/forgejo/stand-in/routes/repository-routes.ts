import { json } from '../../../../../../sandbox/src/http/answers.ts'
import { route, type Answer, type Route } from '../../../../../../sandbox/src/http/route.ts'
import type { ForgejoApi, RepositoryCall } from '../access.ts'
import { notFound, refuse } from '../errors.ts'
import { findCommit, listCommits } from '../../../../../../sandbox/src/models/git.ts'
import { answerPage } from '../paging.ts'
import type { ForgejoParts } from '../parts.ts'
import { presentCommit, presentRepository, presentUser } from '../shapes.ts'
import { versionOf, type ForgejoState } from '../state.ts'
import { findContent, workflowFolders } from '../workflow-file.ts'

/**
 * Creates the routes of people, repositories, commits and files.
 *
 * @see https://codeberg.org/api/swagger
 */
export function repositoryRoutes({ state }: ForgejoParts, api: ForgejoApi): Route[] {
  return [
    route('GET /version', () => json({ version: versionOf(state) })),
    api.route('GET /user', ['user'], ({ user }) => json(presentUser(state, user))),
    api.route('GET /user/repos', ['user', 'repository'], ({ request, user }) => {
      const own = [...state.repositories.values()].filter(({ members }) => members.has(user.id))
      return answerPage(state, request, own, (one) => presentRepository(state, one, user))
    }),
    api.route('GET /repositories/:id', ['repository'], ({ request, user }) => {
      const repository = state.repositories.get(Number(request.params['id']))
      const isSeen =
        repository !== undefined && (!repository.isPrivate || repository.members.has(user.id))
      return isSeen ? json(presentRepository(state, repository, user)) : notFound(state)
    }),
    api.inRepository('GET ', ({ repository, user }) =>
      json(presentRepository(state, repository, user)),
    ),
    api.inRepository('GET /commits', (call) => listOfCommits(state, call)),
    api.inRepository('GET /git/commits/:sha', ({ request, repository }) => {
      const commit = findCommit(repository, request.params['sha'] ?? '')
      return commit === undefined ? notFound(state) : json(presentCommit(state, repository, commit))
    }),
    api.inRepository('GET /contents/*path', (call) => contentAt(state, call)),
  ]
}

function listOfCommits(state: ForgejoState, { request, repository }: RepositoryCall): Answer {
  const from = findCommit(repository, request.query.get('sha') || 'HEAD')
  if (from === undefined) return notFound(state)
  const excluded = request.query.get('not') ?? ''
  const not = excluded === '' ? undefined : findCommit(repository, excluded)
  // git knows no such commit, and the instance takes that for its own trouble.
  if (excluded !== '' && not === undefined) return refuse(state, 500, '')
  const commits = listCommits(repository, [from.sha], not && [not.sha]).toReversed()
  return answerPage(state, request, commits, (commit) => presentCommit(state, repository, commit))
}

function contentAt(state: ForgejoState, { request, repository }: RepositoryCall): Answer {
  const path = request.params['path'] ?? ''
  const ref = request.query.get('ref') ?? repository.defaultBranch
  if (findCommit(repository, ref) === undefined) return notFound(state)
  const content = findContent(repository, path)
  if (content === undefined) return notFound(state)
  const entry = (name: string, at: string, type: 'file' | 'dir') => ({
    name,
    path: at,
    sha: '0'.repeat(40),
    type,
    size: 0,
    url: `${state.baseUrl}/api/v1/repos/${repository.fullName}/contents/${at}?ref=${ref}`,
    html_url: `${state.baseUrl}/${repository.fullName}/src/branch/${ref}/${at}`,
  })
  if ('names' in content) {
    return json(content.names.map((name) => entry(name, `${path}/${name}`, 'file')))
  }
  const base64 = Buffer.from(content.text).toString('base64')
  const name = path.split('/').at(-1) ?? path
  return json({ ...entry(name, path, 'file'), encoding: 'base64', content: base64 })
}

/** Returns whether the product of the instance reads workflows in this folder. */
export function isWorkflowFolder({ settings }: ForgejoState, folder: string): boolean {
  const folders = settings.product === 'gitea' ? workflowFolders.slice(1) : workflowFolders
  return folders.includes(folder)
}
