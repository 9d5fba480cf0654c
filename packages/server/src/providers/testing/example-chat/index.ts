import { clientFields, toClient } from '../../client-application.ts'
import { valueOf } from '../../context.ts'
import type { ChatProvider } from '../../provider.ts'
import { createExampleApi } from './api.ts'
import { createExampleConnector } from './connector.ts'
import { exampleDialect } from './dialect.ts'
import { exampleWebhooks, fetchExampleKeys, parseExampleEvent } from './webhooks.ts'

/**
 * Describes a chat that nobody runs. It proves that a provider is one folder and one line in the registry: nothing outside this
 * folder and its test knows it.
 */
export const exampleChat: ChatProvider = {
  name: 'example-chat',
  kind: 'chat',
  displayName: 'Example Chat',
  icon: { letters: 'EX', hue: 150 },
  dialect: exampleDialect,
  addresses: [
    {
      name: 'base',
      setting: 'URL',
      default: 'https://chat.example.com',
      meaning: 'Address of Example Chat.',
    },
  ],
  application: {
    fields: clientFields('the Example Chat app'),
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'base')}/apps/new`,
    scopes: ['messages', 'channels'],
  },
  capabilities: {
    findMessages: { lacks: 'Example Chat knows a message that is sent again, and isn’t asked.' },
  },
  openConnector: ({ addresses, egress, now }, application) =>
    createExampleConnector({
      base: valueOf(addresses, 'base'),
      client: toClient(application),
      egress,
      now,
    }),
  openCalls:
    () =>
    ({ call, learnedUrl, withAccessToken }) =>
      createExampleApi({ base: learnedUrl, call, withAccessToken }),
  webhooks: {
    scheme: exampleWebhooks,
    parse: parseExampleEvent,
    verifiedBy: {
      fetchKeys: ({ addresses, egress, now }) =>
        fetchExampleKeys({ provider: 'example-chat', egress, now }, valueOf(addresses, 'base')),
    },
  },
}
