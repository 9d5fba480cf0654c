import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Connector } from './connector.ts'
import { createGithubConnector } from './github-connector.ts'
import { createJiraConnector } from './jira-connector.ts'
import type { ProviderGate } from './provider-apps.ts'
import { createSlackConnector } from './slack-connector.ts'

/** The connector of a kind; `undefined` where this server has no application at the provider. */
export function createConnectors(
  gate: ProviderGate,
): (kind: IntegrationKind) => Connector | undefined {
  const { addresses, egress, now } = gate
  return (kind) => {
    const { github, jira, slack } = gate.apps()
    switch (kind) {
      case 'codehost':
        return (
          github &&
          createGithubConnector({
            webUrl: addresses.githubWeb,
            apiUrl: addresses.githubApi,
            app: github,
            egress,
            now,
          })
        )
      case 'tracker':
        return (
          jira &&
          createJiraConnector({
            authUrl: addresses.jiraAuth,
            apiUrl: addresses.jiraApi,
            app: jira,
            egress,
            now,
          })
        )
      case 'chat':
        return (
          slack &&
          createSlackConnector({
            webUrl: addresses.slackWeb,
            apiUrl: addresses.slackApi,
            app: slack,
            egress,
            now,
          })
        )
    }
  }
}
