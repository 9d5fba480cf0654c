import type { Clock } from '../clock.ts'
import { json } from '../http/answers.ts'
import type { Provider } from '../provider.ts'
import { createGithubState, type GithubState } from './state.ts'

/** The pretended GitHub. */
export interface Github extends Provider {
  readonly name: 'github'
  readonly state: GithubState
}

const unknown = () =>
  json(
    { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
    404,
  )

export function createGithub({ clock }: { readonly clock: Clock }): Github {
  const state = createGithubState(clock)
  return {
    name: 'github',
    state,
    mounts: [
      { prefix: '/github', routes: [], unknown },
      { prefix: '/github/api', routes: [], unknown },
    ],
    reset() {},
  }
}
