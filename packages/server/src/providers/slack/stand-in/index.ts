import {
  channelPage,
  clientSettings,
  describeStandIn,
} from '../../../../../sandbox/src/models/stand-in.ts'
import { createSlack } from './slack.ts'

/** Stands in for a workspace of Slack. */
export const slack = describeStandIn({
  create: createSlack,
  addresses: { slackWeb: '/slack', slackApi: '/slack/api' },
  participants: (own, at) => [
    {
      name: 'slack',
      title: 'Slack',
      kind: 'chat',
      settings: () => ({
        SIGNALBOX_SLACK_WEB_URL: at.slackWeb,
        SIGNALBOX_SLACK_API_URL: at.slackApi,
        ...clientSettings('SLACK', own.app),
        SIGNALBOX_SLACK_SIGNING_SECRET: own.app.signingSecret,
      }),
      async register({ callbackUrl, webhookUrl }) {
        own.app.redirectUris = [callbackUrl]
        await own.setEventsUrl(webhookUrl)
      },
      pages: () =>
        own
          .channels()
          .map(({ id, name }) =>
            channelPage(
              { id, title: `# ${name}`, url: `${at.slackWeb}/channels/${id}` },
              own.messages(name),
            ),
          ),
      channel: () => own.channelId('deployments'),
    },
  ],
  switches: (own, faults) => [
    {
      name: 'slack-too-many',
      title: 'Slack: too many requests',
      explains: 'Answers the next call with 429 and asks for a retry after three seconds.',
      turn: () =>
        faults.add({
          provider: 'slack',
          fault: {
            kind: 'answer',
            status: 429,
            headers: { 'retry-after': '3', 'content-type': 'application/json' },
            body: JSON.stringify({ ok: false, error: 'ratelimited' }),
          },
        }),
    },
    {
      name: 'slack-cut',
      title: 'Slack: posted, but no answer',
      explains: 'Posts the next message and closes the connection without an answer.',
      turn: () =>
        faults.add({
          provider: 'slack',
          request: 'POST /chat.postMessage',
          fault: { kind: 'cut' },
        }),
    },
    {
      name: 'slack-drip',
      title: 'Slack: byte by byte',
      explains: 'Answers the next call slowly, but completely.',
      turn: () => faults.add({ provider: 'slack', fault: { kind: 'drip', everyMs: 20 } }),
    },
    {
      name: 'slack-uninstall',
      title: 'Slack: remove the app',
      explains: 'Removes the app from the workspace. Connect again afterwards.',
      turn: () => own.uninstall(),
    },
  ],
  settings: (own) => [
    {
      name: 'slack-rotation',
      title: 'Slack’s tokens expire and rotate',
      isOn: () => own.rotation,
      set(on) {
        own.rotation = on
      },
    },
    {
      name: 'slack-rate-limit',
      title: 'Slack accepts one message per second and channel',
      isOn: () => own.rateLimit,
      set(on) {
        own.rateLimit = on
      },
    },
  ],
})
