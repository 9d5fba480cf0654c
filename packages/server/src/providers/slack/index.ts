import { clientFields, toClient } from '../client-application.ts'
import { valueOf } from '../context.ts'
import type { ChatProvider } from '../provider.ts'
import { createSlackApi } from './api.ts'
import { createSlackConnector, slackScopes } from './connector.ts'
import { slackDialect } from './dialect.ts'
import { historyScopes } from './find-message.ts'
import { parseSlackEvent } from './webhook-events.ts'
import { slackWebhooks } from './webhooks.ts'

/** Describes Slack. */
export const slack: ChatProvider = {
  name: 'slack',
  kind: 'chat',
  displayName: 'Slack',
  icon: { letters: 'SL', hue: 340 },
  dialect: slackDialect,
  addresses: [
    {
      name: 'web',
      setting: 'WEB_URL',
      default: 'https://slack.com',
      meaning: 'URL at which Slack grants access.',
    },
    {
      name: 'api',
      setting: 'API_URL',
      default: 'https://slack.com/api',
      meaning: 'URL of the Slack API.',
    },
  ],
  application: {
    fields: [
      ...clientFields('the Slack app'),
      {
        name: 'signingSecret',
        setting: 'SIGNING_SECRET',
        meaning:
          'Secret with which Slack signs requests. During a rotation, two secrets separated by a comma.',
        label: 'Signing secret',
        role: 'webhookSecret',
      },
    ],
    registerUrl: () => 'https://api.slack.com/apps',
    scopes: slackScopes,
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
  },
  capabilities: {
    sendMessages: { needs: ['chat:write'], without: 'Signalbox can’t send messages.' },
    listChannels: { needs: ['channels:read'], without: 'Signalbox can’t list public channels.' },
    joinChannels: {
      needs: ['chat:write.public'],
      without: 'Signalbox posts only in channels that its bot was invited to.',
    },
    findMessages: {
      needs: historyScopes,
      without:
        'Without reading channels, Signalbox can’t look for a message whose answer was lost more than half a minute ago. Such a message waits for a person.',
    },
  },
  moreAccess: {
    scopes: historyScopes,
    advice:
      'With more access, Signalbox also looks for a message whose answer was lost, instead of leaving it to a person. For that, Slack lets it read every message in the channels that its bot is in, and the bot joins the channel in which it looks.',
  },
  openConnector: ({ addresses, egress, now }, application) =>
    createSlackConnector({
      webUrl: valueOf(addresses, 'web'),
      apiUrl: valueOf(addresses, 'api'),
      app: toClient(application),
      egress,
      now,
    }),
  openCalls:
    ({ addresses }) =>
    ({ call, scopes, withAccessToken }) =>
      createSlackApi({ call, apiUrl: valueOf(addresses, 'api'), withAccessToken, scopes }),
  webhooks: { scheme: slackWebhooks, parse: (_event, body) => parseSlackEvent(body) },
}
