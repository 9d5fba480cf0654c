import type { components } from '@octokit/openapi-webhooks-types'
import type { EmitGithubEvent } from '../emit.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { toHookConfig } from '../shapes/app.ts'
import { toTimestamp } from '../shapes/timestamp.ts'
import type { GithubApp, GithubState } from '../state.ts'

/** Sends a `ping` to a new or changed webhook, as GitHub does. */
export function pingApp(state: GithubState, emit: EmitGithubEvent, app: GithubApp): void {
  const payload = {
    zen: 'Nothing here is real.',
    hook_id: app.hookId,
    hook: {
      type: 'App',
      id: app.hookId,
      name: 'web',
      active: true,
      events: [...app.events],
      config: toHookConfig(app),
      updated_at: toTimestamp(app.updatedAt),
      created_at: toTimestamp(app.createdAt),
      app_id: app.id,
      deliveries_url: `${addressesOf(state).api}/app/hook/deliveries`,
    },
  } satisfies components['schemas']['webhook-ping']
  emit({ name: 'ping', appId: app.id, payload })
}
