import { clientSettings, describeStandIn } from '../../../../../sandbox/src/models/stand-in.ts'
import { createLinear } from './linear.ts'

/** Stands in for a workspace of Linear. */
export const linear = describeStandIn({
  create: createLinear,
  addresses: { linearWeb: '/linear', linearApi: '/linear/api' },
  participants: (own, at) => [
    {
      name: 'linear',
      title: 'Linear',
      kind: 'tracker',
      settings: () => ({
        SIGNALBOX_LINEAR_WEB_URL: at.linearWeb,
        SIGNALBOX_LINEAR_API_URL: at.linearApi,
        ...clientSettings('LINEAR', own.app),
        SIGNALBOX_LINEAR_WEBHOOK_SECRET: own.app.webhookSecret,
      }),
      register: ({ callbackUrl, webhookUrl }) =>
        Object.assign(own.app, { redirectUris: [callbackUrl], webhookUrl }),
      pages: () =>
        own.issues().map(({ identifier, title }) => ({
          id: `issue-${identifier}`,
          title: identifier,
          note: title,
          url: `${at.linearWeb}/acme/issue/${identifier}`,
        })),
      projectKeys: ['ABC', 'WEB2'],
    },
  ],
  switches: (own) => [
    {
      name: 'linear-too-many',
      title: 'Linear: too many requests',
      explains: 'Answers calls with 400 and RATELIMITED for three seconds.',
      turn: () => own.spend('requests', 3_000),
    },
  ],
})
