import { createClock } from '../../../../../../sandbox/src/clock.ts'
import { createActivity } from '../activity.ts'
import type { GithubEvent } from '../emit.ts'
import { createGithubState, type GithubAccount } from '../state.ts'

const acme: GithubAccount = {
  id: 11,
  login: 'acme',
  name: 'Acme',
  email: 'acme@example.com',
  type: 'Organization',
}

export const ada: GithubAccount = {
  id: 12,
  login: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  type: 'User',
}

/** A repository `acme/shop` without a server, and what the apps would be told of it. */
export function recordActivity() {
  const clock = createClock()
  const state = createGithubState(clock)
  state.origin = 'http://127.0.0.1:4500'
  const events: GithubEvent[] = []
  const activity = createActivity({ state, emit: (event) => events.push(event) })
  const repository = activity.addRepository({ owner: acme, name: 'shop' })
  return { clock, state, events, activity, repository }
}
