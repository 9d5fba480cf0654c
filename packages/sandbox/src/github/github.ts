import type { Clock } from '../clock.ts'
import type { Provider } from '../provider.ts'
import type { AdmitToRepository } from './admit.ts'
import { createAdmit } from './create-admit.ts'
import { createAppCredentials, seedKeys } from './create-app.ts'
import { createHooks, type Hooks } from './hooks/create-hooks.ts'
import { createIdentify } from './identify.ts'
import { notFound } from './refusals.ts'
import { seedAccounts } from './seed.ts'
import { createGithubState, type GithubApp, type GithubState } from './state.ts'
import { createTokenStore, type TokenStore } from './token-store.ts'

/** The pretended GitHub. */
export interface Github extends Provider {
  readonly name: 'github'
  readonly state: GithubState
  /** The app that stands for the product: `signalbox-sandbox`. Its credentials outlive a reset. */
  readonly app: GithubApp
  readonly tokens: TokenStore
  readonly admit: AdmitToRepository
  readonly hooks: Hooks
}

export function createGithub({ clock }: { readonly clock: Clock }): Github {
  const state = createGithubState(clock)
  const tokens = createTokenStore(clock)
  const credentials = createAppCredentials(seedKeys)
  let app = seedAccounts(state, credentials)
  const identify = createIdentify({ state, tokens })
  const hooks = createHooks(state)
  return {
    name: 'github',
    state,
    get app() {
      return app
    },
    tokens,
    admit: createAdmit({ state, identify }),
    hooks,
    mounts: [
      { prefix: '/github', routes: [], unknown: notFound },
      { prefix: '/github/api', routes: [], unknown: notFound },
    ],
    reset() {
      clearState(state)
      tokens.reset()
      hooks.reset()
      app = seedAccounts(state, credentials)
    },
  }
}

function clearState(state: GithubState): void {
  const { accounts, owners, apps, installations, repositories, formerNames } = state
  for (const part of [accounts, owners, apps, installations, repositories, formerNames]) {
    part.clear()
  }
}
