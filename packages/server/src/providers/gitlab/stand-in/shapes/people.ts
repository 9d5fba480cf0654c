import type { GitlabState, GitlabUser } from '../state.ts'

/** Returns a user as the API shows one beside other things. */
export function toUser({ baseUrl }: Pick<GitlabState, 'baseUrl'>, user: GitlabUser) {
  const { id, username, name } = user
  return {
    id,
    username,
    name,
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: `${baseUrl}/${username}`,
  }
}

/** Returns a user as a webhook shows one. */
export function toHookUser({ id, username, name }: GitlabUser) {
  return { id, name, username, avatar_url: null, email: '[REDACTED]' }
}
