import type { ApplicationField } from '../application-field.ts'
import { valueOf } from '../context.ts'
import type { ChatProvider } from '../provider.ts'
import { createMattermostApi } from './api.ts'
import { createMattermostConnector } from './connector.ts'
import { mattermostDialect } from './dialect.ts'
import { isServerUrl, toBaseUrl } from './server-url.ts'

/** Describes the server. An operator enters it: an address that a member enters would be a way into the operator's network. */
const serverField: ApplicationField = {
  name: 'url',
  setting: 'URL',
  meaning: 'URL of the Mattermost server, such as `https://chat.example.com`.',
  label: 'Address of the Mattermost server',
  role: 'identity',
  hint: 'A private address, or one without https, has to be in the setting SIGNALBOX_EGRESS_ALLOW as well.',
  placeholder: 'https://chat.example.com',
  check: {
    accepts: isServerUrl,
    advice: 'Enter the address that people open Mattermost with, such as https://chat.example.com.',
    setting: 'the address of a Mattermost server, such as https://chat.example.com.',
  },
}

/** Describes Mattermost, on a server of the operator's own. */
export const mattermost: ChatProvider = {
  name: 'mattermost',
  kind: 'chat',
  displayName: 'Mattermost',
  icon: { letters: 'MA', hue: 200 },
  dialect: mattermostDialect,
  addresses: [],
  application: {
    fields: [serverField],
    registerUrl: () =>
      'https://docs.mattermost.com/deployment-guide/server/server-deployment-planning.html',
    setUpAdvice:
      'Nothing has to be registered at Mattermost: enter the address of the server. Each organization then connects with the token of a bot of its own.',
  },
  limits: [
    'Mattermost doesn’t tell Signalbox that a channel was archived or deleted. The next message shows it.',
    'A reply in a thread can’t be shown in the channel as well, so a failure is announced in a message of its own.',
  ],
  openConnector: ({ egress, now }, { values }) =>
    createMattermostConnector({ baseUrl: toBaseUrl(valueOf(values, 'url')), egress, now }),
  openCalls:
    ({ application }) =>
    ({ account, call, withAccessToken }) => {
      const server = application()
      return (
        server &&
        createMattermostApi({
          call,
          account,
          withAccessToken,
          baseUrl: toBaseUrl(valueOf(server.values, 'url')),
        })
      )
    },
}
