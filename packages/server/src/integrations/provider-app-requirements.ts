import type { IntegrationProvider } from '@signalbox/contract/rest'
import { jiraScopes } from '../providers/jira/oauth.ts'
import { slackScopes } from '../providers/slack/oauth.ts'

/** What an application is registered with at its provider. */
export interface ProviderAppRequirements {
  /** What of it may be reached, and how: GitHub. */
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>
  /** What it is told of. */
  readonly events: readonly string[]
  readonly scopes: readonly string[]
  /** Whether the provider sends anything. */
  readonly hasWebhooks: boolean
}

/** What is not here is not needed. `installation` and `github_app_authorization` come to every App unasked. */
export const providerAppRequirements: Readonly<
  Record<IntegrationProvider, ProviderAppRequirements>
> = {
  github: {
    permissions: { metadata: 'read', deployments: 'read', actions: 'write', contents: 'read' },
    events: ['deployment', 'deployment_status', 'workflow_run', 'push'],
    scopes: [],
    hasWebhooks: true,
  },
  jira: { permissions: {}, events: [], scopes: jiraScopes, hasWebhooks: false },
  slack: {
    permissions: {},
    events: [
      'app_uninstalled',
      'tokens_revoked',
      'channel_rename',
      'channel_archive',
      'channel_unarchive',
      'channel_deleted',
      'channel_left',
      'group_rename',
      'group_archive',
      'group_unarchive',
      'group_deleted',
      'group_left',
    ],
    scopes: slackScopes,
    hasWebhooks: true,
  },
}
