import { createApp, createAppCredentials, seedKeys, type AppCredentials } from './create-app.ts'
import type { GithubAccount, GithubApp, GithubState } from './state.ts'

/** Lists all permissions that the product needs. */
const permissions = {
  metadata: 'read',
  contents: 'read',
  deployments: 'write',
  actions: 'write',
  checks: 'write',
  issues: 'read',
  pull_requests: 'read',
  statuses: 'write',
} as const

const events = [
  'deployment',
  'deployment_protection_rule',
  'deployment_status',
  'issues',
  'pull_request',
  'push',
  'repository',
  'workflow_run',
] as const

/** Returns the credentials of the seeded app. They are created once, so that the product is still admitted after a reset. */
export function createSeedCredentials(): AppCredentials {
  return createAppCredentials(seedKeys, 2001)
}

/**
 * Adds the organization `acme`, its owner `ada`, `grace` who is not in it, and the app `signalbox-sandbox`, installed
 * nowhere. Returns the app.
 */
export function seedAccounts(state: GithubState, credentials: AppCredentials): GithubApp {
  addAccount(state, { id: 1001, login: 'acme', name: 'Acme', type: 'Organization' })
  addAccount(state, { id: 1003, login: 'grace', name: 'Grace', type: 'User' })
  const ada = addAccount(state, { id: 1002, login: 'ada', name: 'Ada', type: 'User' })
  state.owners.set('acme', new Set(['ada']))
  const registration = {
    name: 'Signalbox sandbox',
    description: null,
    externalUrl: 'http://127.0.0.1',
    owner: ada,
    isPublic: true,
    callbackUrls: [],
    setupUrl: undefined,
    requestsUserOnInstall: true,
    redirectsOnUpdate: false,
    // Holds the address until another one is registered: the webhook is active and reaches nobody.
    webhookUrl: 'https://app.invalid/hooks',
    permissions,
    events,
  }
  return createApp(state, registration, credentials)
}

function addAccount(state: GithubState, account: Omit<GithubAccount, 'email'>): GithubAccount {
  const added = { ...account, email: `${account.login}@example.com` }
  state.accounts.set(added.login, added)
  return added
}
