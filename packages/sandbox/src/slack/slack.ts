import type { Clock } from '../clock.ts'
import { json } from '../http/answers.ts'
import type { Provider } from '../provider.ts'

/** The pretended Slack. */
export interface Slack extends Provider {
  readonly name: 'slack'
  readonly clock: Clock
}

const unknown = () => json({ ok: false, error: 'unknown_method' })

export function createSlack({ clock }: { readonly clock: Clock }): Slack {
  return {
    name: 'slack',
    mounts: [
      { prefix: '/slack', routes: [], unknown },
      { prefix: '/slack/api', routes: [], unknown },
    ],
    clock,
    reset() {},
  }
}
