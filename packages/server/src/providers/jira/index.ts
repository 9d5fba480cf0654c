import { clientFields, toClient } from '../client-application.ts'
import { valueOf } from '../context.ts'
import { createHyphenKeys } from '../issue-keys/hyphen-keys.ts'
import type { TrackerProvider } from '../provider.ts'
import { createJiraApi } from './api.ts'
import { createJiraConnector, jiraScopes } from './connector.ts'

/** Describes Jira Cloud. Its webhooks reach only the person who registered them, so none are taken. */
export const jira: TrackerProvider = {
  name: 'jira',
  kind: 'tracker',
  displayName: 'Jira',
  icon: { letters: 'JI', hue: 255 },
  grammar: createHyphenKeys({
    container: 'project',
    names: '[A-Z][A-Z0-9_]{1,9}',
    underscores: true,
  }),
  addresses: [
    {
      name: 'auth',
      setting: 'AUTH_URL',
      default: 'https://auth.atlassian.com',
      meaning: 'URL at which Jira Cloud grants access.',
    },
    {
      name: 'api',
      setting: 'API_URL',
      default: 'https://api.atlassian.com',
      meaning: 'URL of the Jira Cloud API.',
    },
  ],
  application: {
    fields: clientFields('the Jira app'),
    registerUrl: () => 'https://developer.atlassian.com/console/myapps/',
    scopes: jiraScopes,
  },
  capabilities: {
    readIssues: { needs: ['read:jira-work'], without: 'Signalbox can’t read issues.' },
    followIssues: {
      lacks:
        'Jira sends the webhooks of a private app only to the person who owns the app. Signalbox reads an issue when a deployment or its message needs it, and every six hours.',
    },
  },
  openConnector: ({ addresses, egress, now }, application) =>
    createJiraConnector({
      authUrl: valueOf(addresses, 'auth'),
      apiUrl: valueOf(addresses, 'api'),
      app: toClient(application),
      egress,
      now,
    }),
  openCalls:
    ({ addresses }) =>
    ({ account, call, withAccessToken }) => {
      if (account.url === null) throw new Error('A site of Jira has no address')
      return createJiraApi({
        call,
        apiUrl: valueOf(addresses, 'api'),
        siteId: account.id,
        siteUrl: account.url,
        withAccessToken,
      })
    },
}
