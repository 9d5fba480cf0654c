import { createHyphenKeys } from '../issue-keys/hyphen-keys.ts'
import { clientFields, toClient } from '../client-application.ts'
import { valueOf } from '../context.ts'
import type { TrackerProvider } from '../provider.ts'
import { createLinearApi } from './api.ts'
import { createLinearConnector, linearScopes } from './connector.ts'
import { readLinearLimit } from './limits.ts'
import { parseLinearEvent } from './webhook-events.ts'
import { linearWebhooks } from './webhooks.ts'

/** Describes Linear. Its teams are what other trackers call projects. */
export const linear: TrackerProvider = {
  name: 'linear',
  kind: 'tracker',
  displayName: 'Linear',
  icon: { letters: 'LI', hue: 300 },
  // A team's name may be one letter, or begin with a digit. One of digits alone would make a key of every date.
  grammar: createHyphenKeys({
    container: 'team',
    names: '(?=[0-9]{0,9}[A-Z])[A-Z0-9]{1,10}',
    underscores: false,
  }),
  addresses: [
    {
      name: 'web',
      setting: 'WEB_URL',
      default: 'https://linear.app',
      meaning: 'URL at which Linear grants access.',
    },
    {
      name: 'api',
      setting: 'API_URL',
      default: 'https://api.linear.app',
      meaning: 'URL of the Linear API.',
    },
  ],
  application: {
    fields: [
      ...clientFields('the Linear application'),
      {
        name: 'webhookSecret',
        setting: 'WEBHOOK_SECRET',
        meaning:
          'Secret with which Linear signs webhooks. During a rotation, two secrets separated by a comma.',
        label: 'Webhook signing secret',
        role: 'webhookSecret',
      },
    ],
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/settings/api/applications/new`,
    scopes: linearScopes,
    events: ['OAuthApp', 'Issue'],
  },
  capabilities: {
    readIssues: { needs: ['read'], without: 'Signalbox can’t read issues.' },
    followIssues: 'works',
  },
  openConnector: ({ addresses, egress, now }, application) =>
    createLinearConnector({
      webUrl: valueOf(addresses, 'web'),
      apiUrl: valueOf(addresses, 'api'),
      app: toClient(application),
      egress,
      now,
    }),
  openCalls:
    ({ addresses }) =>
    ({ account, call, withAccessToken }) => {
      if (account.url === null) throw new Error('A workspace of Linear has no address')
      return createLinearApi({
        call,
        apiUrl: valueOf(addresses, 'api'),
        workspaceId: account.id,
        workspaceUrl: account.url,
        withAccessToken,
      })
    },
  readLimit: readLinearLimit,
  webhooks: { scheme: linearWebhooks, parse: parseLinearEvent },
}
