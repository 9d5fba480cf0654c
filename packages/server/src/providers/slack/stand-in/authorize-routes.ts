import type { Route } from '../../../../../sandbox/src/http/route.ts'
import {
  authorizeRoutes,
  firstOf,
  refusedPage,
  splitScopes,
  type Read,
} from '../../../../../sandbox/src/oauth/authorize-routes.ts'
import type { SlackParts } from './method.ts'
import { visitor } from './state.ts'

/** Lists the valid scopes: those of the pretended methods, and others that such apps request. */
const knownScopes = new Set([
  'app_mentions:read',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'chat:write.customize',
  'chat:write.public',
  'commands',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'incoming-webhook',
  'links:read',
  'links:write',
  'mpim:history',
  'mpim:read',
  'reactions:read',
  'reactions:write',
  'team:read',
  'users:read',
  'users:read.email',
])

const scopesIn = (read: Read, name: string) => splitScopes(read(name), /[,\s]+/)

const wrong = (problem: string) => refusedPage('Slack: not authorized', problem)

/** Creates `/slack/oauth/v2/authorize`, which asks the visitor and redirects with a code or with `error=access_denied`. */
export function createAuthorizeRoutes({ state: { app }, codes }: SlackParts): readonly Route[] {
  const redirectUriOf = (read: Read) => read('redirect_uri') || (app.redirectUris[0] ?? '')
  return authorizeRoutes({
    mount: '/slack',
    path: '/oauth/v2/authorize',
    codes,
    redirectUriOf,
    returnsEmptyState: true,
    judge(read) {
      const [uri, all] = [redirectUriOf(read), ['scope', 'user_scope']]
      const scopes = all.flatMap((name) => scopesIn(read, name))
      const strange = scopes.find((scope) => !knownScopes.has(scope))
      const isPlain = read('code_challenge') !== '' && read('code_challenge_method') !== 'S256'
      return firstOf([
        [read('client_id') !== app.clientId, wrong('Invalid client_id parameter')],
        [
          !app.redirectUris.some((known) => isBelow(uri, known)),
          wrong(`redirect_uri did not match any configured URIs. Passed URI: ${uri}`),
        ],
        [scopes.length === 0, wrong('No scopes requested')],
        [strange !== undefined, wrong(`Invalid scope: ${strange}`)],
        [isPlain, wrong('Invalid code_challenge_method parameter')],
      ])
    },
    ask: (read) => ({
      provider: 'Slack (Acme)',
      account: visitor.name,
      permissions: [
        ...scopesIn(read, 'scope'),
        ...scopesIn(read, 'user_scope').map((scope) => `${scope}, as you`),
      ],
    }),
    grant: (read) => ({
      subject: {
        scopes: scopesIn(read, 'scope'),
        userScopes: scopesIn(read, 'user_scope'),
        sentRedirectUri: read('redirect_uri') !== '',
      },
    }),
  })
}

/** Returns whether an address equals a registered one or is below it, as Slack does (docs.slack.dev, installing with OAuth). */
function isBelow(uri: string, known: string): boolean {
  if (uri === known) return true
  if (!URL.canParse(uri) || !URL.canParse(known)) return false
  const [one, other] = [new URL(uri), new URL(known)]
  return (
    one.origin === other.origin && one.pathname.startsWith(`${other.pathname.replace(/\/$/, '')}/`)
  )
}
