import type { Egress } from '../egress/create-egress.ts'
import type { GithubApp } from '../providers/github/oauth.ts'
import type { JiraApp } from '../providers/jira/oauth.ts'
import type { SlackApp } from '../providers/slack/oauth.ts'

/** Where the providers are. Others than the public ones are GitHub Enterprise Server, or a sandbox. */
export interface ProviderAddresses {
  /** Example: `https://github.com`. */
  readonly githubWeb: string
  /** Example: `https://api.github.com`. */
  readonly githubApi: string
  /** Example: `https://auth.atlassian.com`. */
  readonly jiraAuth: string
  /** Example: `https://api.atlassian.com`. */
  readonly jiraApi: string
  /** Example: `https://slack.com`. */
  readonly slackWeb: string
  /** Example: `https://slack.com/api`. */
  readonly slackApi: string
}

/** The applications that whoever runs this server has registered at the providers. */
export interface ProviderApps {
  readonly github:
    | (GithubApp & {
        /** What GitHub signs webhooks with: two while one is being replaced. Empty: webhooks are refused. */
        readonly webhookSecrets: readonly string[]
      })
    | undefined
  readonly jira: JiraApp | undefined
  readonly slack:
    | (SlackApp & {
        /** What Slack signs requests with. Empty: requests are refused. */
        readonly signingSecrets: readonly string[]
      })
    | undefined
}

/** What reaches the providers. `apps` is asked each time: an application may be registered while the service runs. */
export interface ProviderGate {
  readonly addresses: ProviderAddresses
  readonly apps: () => ProviderApps
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}
