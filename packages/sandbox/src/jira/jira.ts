import type { Clock } from '../clock.ts'
import { json } from '../http/answers.ts'
import type { Provider } from '../provider.ts'

/** The pretended Jira Cloud. */
export interface Jira extends Provider {
  readonly name: 'jira'
  readonly clock: Clock
}

const unknown = () => json({ code: 404, message: 'Not Found' }, 404)

export function createJira({ clock }: { readonly clock: Clock }): Jira {
  return {
    name: 'jira',
    mounts: [
      { prefix: '/atlassian/auth', routes: [], unknown },
      { prefix: '/atlassian/api', routes: [], unknown },
    ],
    clock,
    reset() {},
  }
}
