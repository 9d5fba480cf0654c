import { bearerOf, readJson } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import type { AsUser } from './as-user.ts'
import { json, noChannel, refuse, refusePermission } from './errors.ts'
import { presentChannel, presentTeam, presentUser } from './objects.ts'
import { createPostRoutes } from './post-routes.ts'
import type { MattermostChannel, MattermostState, MattermostUser } from './state.ts'

/** Creates the routes below `/api/v4`, as far as a bot uses them. @see https://developers.mattermost.com/api-documentation/ */
export function createApiRoutes(state: MattermostState): readonly Route[] {
  const asUser: AsUser = (handle) => (request) => {
    const user = state.users.get(state.tokens.get(bearerOf(request)) ?? '')
    return user === undefined || user.deletedAt !== 0
      ? refuse(401, 'api.context.session_expired.app_error', 'Invalid or expired session.')
      : handle(request, user)
  }
  return [
    route(
      'GET /users/me',
      asUser((_request, user) => json(presentUser(user))),
    ),
    route(
      'GET /users/me/teams',
      asUser((_request, user) =>
        json(
          [...state.teams.values()].filter(({ members }) => members.has(user.id)).map(presentTeam),
        ),
      ),
    ),
    ...createChannelRoutes(state, asUser),
    ...createPostRoutes(state, asUser),
  ]
}

function createChannelRoutes(state: MattermostState, asUser: AsUser): readonly Route[] {
  const inTeam = (
    handle: (request: SandboxRequest, user: MattermostUser, all: MattermostChannel[]) => Answer,
  ) =>
    asUser((request, user) => {
      const team = state.teams.get(request.params['team'] ?? '')
      if (team === undefined || !team.members.has(user.id)) return refusePermission()
      const all = [...state.channels.values()].filter(({ teamId }) => teamId === team.id)
      return handle(request, user, all)
    })
  const inChannel = (
    handle: (request: SandboxRequest, user: MattermostUser, of: MattermostChannel) => Answer,
  ) =>
    asUser((request, user) => {
      const of = state.channels.get(request.params['channel'] ?? '')
      return of === undefined ? noChannel() : handle(request, user, of)
    })
  return [
    route(
      'GET /users/me/teams/:team/channels',
      inTeam(({ query }, user, all) => {
        const isWhole = query.get('include_deleted') === 'true'
        const own = all.filter(({ members }) => members.has(user.id))
        return json(own.filter(({ deletedAt }) => isWhole || deletedAt === 0).map(presentChannel))
      }),
    ),
    route(
      'GET /teams/:team/channels',
      inTeam((request, _user, all) => listOpenChannels(request, all)),
    ),
    route(
      'GET /channels/:channel',
      inChannel((_request, user, of) =>
        of.type === 'P' && !of.members.has(user.id) ? refusePermission() : json(presentChannel(of)),
      ),
    ),
    route(
      'GET /channels/:channel/members/:user',
      inChannel((_request, user, of) =>
        of.members.has(user.id)
          ? json({ channel_id: of.id, user_id: user.id, roles: 'channel_user' })
          : refuse(404, 'app.channel.get_member.missing.app_error', 'No channel member found.'),
      ),
    ),
    route(
      'POST /channels/:channel/members',
      inChannel((request, user, of) =>
        readJson(request)['user_id'] === user.id
          ? joinChannel(state, user, of)
          : refusePermission(),
      ),
    ),
  ]
}

function listOpenChannels(
  { query }: SandboxRequest,
  channels: readonly MattermostChannel[],
): Answer {
  const perPage = Math.min(Number(query.get('per_page') ?? 60), 200)
  const from = Number(query.get('page') ?? 0) * perPage
  const open = channels.filter(({ type, deletedAt }) => type === 'O' && deletedAt === 0)
  return json(open.slice(from, from + perPage).map(presentChannel))
}

function joinChannel(
  { teams }: MattermostState,
  user: MattermostUser,
  channel: MattermostChannel,
): Answer {
  const isInTeam = teams.get(channel.teamId)?.members.has(user.id) === true
  if (channel.type === 'P' || !isInTeam) return refusePermission()
  if (channel.deletedAt !== 0) {
    return refuse(400, 'api.channel.add_user_to_channel.deleted.app_error')
  }
  channel.members.add(user.id)
  return json({ channel_id: channel.id, user_id: user.id, roles: 'channel_user' }, 201)
}
