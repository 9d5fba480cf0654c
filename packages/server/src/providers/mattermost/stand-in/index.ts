import { channelPage, describeStandIn } from '../../../../../sandbox/src/models/stand-in.ts'
import { createMattermost, mattermostPath } from './mattermost.ts'

/** Stands in for a Mattermost server. */
export const mattermost = describeStandIn({
  create: createMattermost,
  addresses: { mattermost: mattermostPath },
  participants: (own, at) => [
    {
      name: 'mattermost',
      title: 'Mattermost',
      kind: 'chat',
      settings: () => ({ SIGNALBOX_MATTERMOST_URL: at.mattermost }),
      form: () => ({ token: own.botToken }),
      pages: () =>
        ['Deployments', 'Town Square'].map((title) => {
          const id = own.channelId(title)
          return channelPage(
            { id, title, url: `${at.mattermost}/channels/${id}` },
            own.messages(title),
          )
        }),
      channel: () => own.channelId('Deployments'),
    },
  ],
  switches: (_, faults) => [
    {
      name: 'mattermost-cut',
      title: 'Mattermost: posted, but no answer',
      explains: 'Posts the next message and closes the connection without an answer.',
      turn: () =>
        faults.add({ provider: 'mattermost', request: 'POST /posts', fault: { kind: 'cut' } }),
    },
  ],
})
