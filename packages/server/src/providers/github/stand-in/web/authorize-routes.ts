import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import type { AuthorizationCodes } from '../../../../../../sandbox/src/oauth/authorization-codes.ts'
import { authorizeRoutes, type Read } from '../../../../../../sandbox/src/oauth/authorize-routes.ts'
import { findAccount, findClient, type GithubState } from '../state.ts'
import type { UserGrant } from '../access/token-store.ts'
import { noticePage, noSuchPage } from './notice-page.ts'

const unsupportedChallenge = {
  error: 'invalid_request',
  error_description: 'The code_challenge_method must be S256.',
}

const denied = {
  error: 'access_denied',
  error_description: 'The user has denied your application access.',
  error_uri:
    'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#access-denied',
}

/**
 * Creates the page on which a user authorizes an app. `login` preselects the user, like GitHub's own parameter.
 *
 * @see
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
export function createAuthorizeRoutes({
  state,
  codes,
}: {
  readonly state: GithubState
  readonly codes: AuthorizationCodes<UserGrant>
}): Route[] {
  const appOf = (read: Read) => findClient(state, read('client_id'))
  const redirectUriOf = (read: Read) => read('redirect_uri') || (appOf(read)?.callbackUrls[0] ?? '')
  return authorizeRoutes({
    mount: '/github',
    path: '/login/oauth/authorize',
    codes,
    redirectUriOf,
    denied,
    judge(read) {
      const app = appOf(read)
      if (app === undefined) return { page: noSuchPage() }
      if (!app.callbackUrls.includes(redirectUriOf(read))) {
        const text = 'The redirect_uri is not associated with this application.'
        return { page: noticePage('Be careful!', text, 400) }
      }
      const isPlain = read('code_challenge') !== '' && read('code_challenge_method') !== 'S256'
      return isPlain ? { back: unsupportedChallenge } : undefined
    },
    ask: (read) => ({
      provider: 'GitHub',
      account: 'you',
      permissions: ['know who you are', 'know what you can reach', 'act on your behalf'],
      choice: { name: 'login', label: 'Signed in as', options: usersOf(state, read('login')) },
    }),
    grant(read) {
      const [app, user] = [appOf(read), findAccount(state, read('login') || 'ada')]
      return app === undefined || user?.type !== 'User'
        ? { page: noSuchPage() }
        : { subject: { appId: app.id, login: user.login } }
    },
  })
}

/** Returns the people, the suggested one first. */
function usersOf(state: GithubState, login: string) {
  const suggested = findAccount(state, login || 'ada')
  return [...state.accounts.values()]
    .filter(({ type }) => type === 'User')
    .toSorted((one, other) => Number(other === suggested) - Number(one === suggested))
    .map((user) => ({ value: user.login, label: user.login }))
}
