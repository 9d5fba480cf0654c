import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import { codePages } from '../../../../../../sandbox/src/models/code-pages.ts'
import { fullNameOf } from '../shapes/repository.ts'
import {
  findRepository,
  type GithubAccount,
  type GithubRepository,
  type GithubState,
} from '../state.ts'
import { noSuchPage } from './notice-page.ts'

/** Creates the pages that links to GitHub open: a run with its attempts, a commit with its message, and an issue. */
export function createRepositoryPages(state: GithubState): Route[] {
  return codePages<GithubAccount, GithubRepository>({
    path: '/:owner/:repo',
    runs: 'actions/runs',
    find(name) {
      const [owner = '', repo = ''] = name.split('/')
      return findRepository(state, owner, repo)
    },
    urlOf: (repository) => `/github/${fullNameOf(repository)}`,
    nameOf: ({ login }) => login,
    run({ runs }, id) {
      const run = runs.get(id)
      if (run === undefined) return undefined
      const { displayTitle: title, headBranch: ref, headSha: sha, inputs } = run
      const attempts = run.attempts.map(({ status, conclusion }) => conclusion ?? status)
      return { title, ref, sha, attempts, inputs }
    },
    issue: ({ issues }, number) => issues.get(number),
    noSuchPage,
  })
}
