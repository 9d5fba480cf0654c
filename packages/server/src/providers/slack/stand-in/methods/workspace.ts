import type { AuthTestResponse, TeamInfoResponse, UsersLookupByEmailResponse } from '@slack/web-api'
import { clientError } from './oauth-access.ts'
import { fieldOf, isSet, refuse, type SlackMethod, type SlackParts } from '../method.ts'

/** Returns the caller, and with rotation the remaining seconds of the token. */
export const authTest: SlackMethod = {
  scopes: [],
  run: ({ state: { team, app }, token: { user, expiresAt }, state }) => {
    const leftMs = expiresAt && expiresAt.getTime() - state.clock.now().getTime()
    return {
      ok: true,
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: user.name,
      team_id: team.id,
      user_id: user.id,
      ...(user.botId !== undefined && { bot_id: user.botId, app_id: app.id }),
      ...(leftMs !== undefined && { expires_in: Math.floor(leftMs / 1000) }),
      is_enterprise_install: false,
    } satisfies AuthTestResponse
  },
}

/** Revokes the token of the call. `test` revokes nothing. */
export const authRevoke: SlackMethod = {
  scopes: [],
  run: (call) => {
    if (isSet(call, 'test')) return { ok: true, revoked: false }
    const { tokens, token, events } = call
    tokens.revoke(token)
    const { id, botId } = token.user
    const of = botId === undefined ? { oauth: [id], bot: [] } : { oauth: [], bot: [id] }
    events.emit({ type: 'tokens_revoked', tokens: of })
    return { ok: true, revoked: true }
  },
}

/** Removes the app from the workspace. It needs the client's secret besides a token. */
export const appsUninstall: SlackMethod = {
  scopes: [],
  run: (call) => {
    const wrong = clientError(call)
    if (wrong !== undefined) return refuse(wrong)
    uninstallApp(call)
    return { ok: true }
  },
}

/** Revokes all tokens, removes the bot from every channel, and sends the app `tokens_revoked` and `app_uninstalled`. */
export function uninstallApp({ state, tokens, events }: SlackParts): void {
  const ended = tokens.revokeAll().map(({ user }) => user)
  for (const { members } of state.channels.values()) members.delete(state.bot.id)
  const idsOf = (isBot: boolean) => [
    ...new Set(ended.filter(({ botId }) => (botId !== undefined) === isBot).map(({ id }) => id)),
  ]
  events.emit({ type: 'tokens_revoked', tokens: { oauth: idsOf(false), bot: idsOf(true) } })
  events.emit({ type: 'app_uninstalled' })
}

/** Returns the workspace. */
export const teamInfo: SlackMethod = {
  scopes: ['team:read'],
  run: ({ state: { team } }) =>
    ({
      ok: true,
      team: {
        id: team.id,
        name: team.name,
        url: `https://${team.domain}.slack.com/`,
        domain: team.domain,
        email_domain: '',
        icon: { image_default: true },
        avatar_base_url: 'https://ca.slack-edge.com/',
        is_verified: false,
      },
    }) satisfies TeamInfoResponse,
}

/** Returns the person of an email address. Bots have none. */
export const usersLookupByEmail: SlackMethod = {
  scopes: ['users:read.email'],
  run: (call) => {
    const email = fieldOf(call, 'email')?.toLowerCase()
    const user = [...call.state.users.values()].find(
      (user) => user.botId === undefined && user.email === email,
    )
    if (user === undefined) return refuse('users_not_found')
    return {
      ok: true,
      user: {
        id: user.id,
        team_id: call.state.team.id,
        name: user.name,
        deleted: false,
        real_name: user.realName,
        profile: {
          real_name: user.realName,
          display_name: user.name,
          email: user.email,
          team: call.state.team.id,
        },
        is_bot: false,
        is_app_user: false,
      },
    } satisfies UsersLookupByEmailResponse
  },
}
