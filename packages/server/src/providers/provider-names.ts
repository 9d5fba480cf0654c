import type { IntegrationProvider } from '@signalbox/contract/rest'

/** Each provider as people write it. */
export const providerNames: Readonly<Record<IntegrationProvider, string>> = {
  github: 'GitHub',
  jira: 'Jira',
  slack: 'Slack',
}
