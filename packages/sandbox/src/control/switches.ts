import type { Sandbox } from '../sandbox.ts'

/** Describes a fault that a visitor triggers, once for each press. */
export interface Switch {
  /** Example: `slack-too-many`. */
  readonly name: string
  readonly title: string
  readonly explains: string
  readonly turn: (sandbox: Sandbox) => void
}

/** Lists the faults in the order in which the page offers them. */
export const switches: readonly Switch[] = [
  {
    name: 'webhook-twice',
    title: 'Deliver the next webhook twice',
    explains: 'Sends the same bytes under the same id.',
    turn: ({ github }) => github.hooks.faults.repeatNext(1),
  },
  {
    name: 'webhook-lost',
    title: 'Lose the next webhook',
    explains: "GitHub doesn't retry. Its list of deliveries has the webhook.",
    turn: ({ github }) => github.hooks.faults.loseNext(1),
  },
  {
    name: 'webhook-repeat-last',
    title: 'Deliver the last webhook again',
    explains: 'Works like “Redeliver” on GitHub.',
    turn({ github }) {
      const [last] = github.hooks.deliveries.list(github.app.id)
      if (last !== undefined) github.hooks.redeliver(last)
    },
  },
  {
    name: 'webhook-shuffle',
    title: 'Deliver webhooks in reverse',
    explains:
      'GitHub collects the webhooks of the next four seconds, then sends the last one first.',
    turn({ github, scheduler }) {
      const { faults } = github.hooks
      faults.hold()
      const run = () => void faults.release([...faults.held().keys()].toReversed())
      scheduler.play([{ afterMs: 4_000, run }])
    },
  },
  {
    name: 'slack-too-many',
    title: 'Slack: too many requests',
    explains: 'Answers the next call with 429 and asks for a retry after three seconds.',
    turn: ({ faults }) =>
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
    turn: ({ faults }) =>
      faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault: { kind: 'cut' } }),
  },
  {
    name: 'slack-drip',
    title: 'Slack: byte by byte',
    explains: 'Answers the next call slowly, but completely.',
    turn: ({ faults }) => faults.add({ provider: 'slack', fault: { kind: 'drip', everyMs: 20 } }),
  },
  {
    name: 'jira-too-many',
    title: 'Jira: too many requests',
    explains: 'Answers the next call with 429 and asks for a retry after three seconds.',
    turn: ({ faults, jira }) =>
      faults.add({ provider: 'jira', fault: jira.rateLimited({ retryAfterSeconds: 3 }) }),
  },
  {
    name: 'github-down',
    title: 'GitHub: unavailable',
    explains: 'Answers the next three calls with 502 and an HTML page.',
    turn: ({ faults }) =>
      faults.add({
        provider: 'github',
        times: 3,
        fault: {
          kind: 'answer',
          status: 502,
          headers: { 'content-type': 'text/html' },
          body: '<h1>502 Bad Gateway</h1>',
        },
      }),
  },
  {
    name: 'expire',
    title: 'Let every access token expire',
    explains: 'On GitHub and Jira, and on Slack if tokens rotate. Refresh tokens still work.',
    turn({ github, jira, slack }) {
      github.tokens.expireAll()
      jira.expireTokens()
      slack.expireTokens()
    },
  },
  {
    name: 'jira-revoke',
    title: 'Jira: remove the grant',
    explains: 'Removes the app from the account. Connect again afterwards.',
    turn: ({ jira }) => jira.removeGrant(),
  },
  {
    name: 'slack-uninstall',
    title: 'Slack: remove the app',
    explains: 'Removes the app from the workspace. Connect again afterwards.',
    turn: ({ slack }) => slack.uninstall(),
  },
]

/** Describes a setting, which applies to the authorizations and calls that follow. */
export interface Setting {
  readonly name: string
  readonly title: string
  readonly isOn: (sandbox: Sandbox) => boolean
  readonly set: (sandbox: Sandbox, on: boolean) => void
}

/** Lists the settings that stay on until they are turned off, in the order in which the page offers them. */
export const settings: readonly Setting[] = [
  {
    name: 'slack-rotation',
    title: 'Slack’s tokens expire and rotate',
    isOn: ({ slack }) => slack.rotation,
    set: ({ slack }, on) => Object.assign(slack, { rotation: on }),
  },
  {
    name: 'slack-rate-limit',
    title: 'Slack accepts one message per second and channel',
    isOn: ({ slack }) => slack.rateLimit,
    set: ({ slack }, on) => Object.assign(slack, { rateLimit: on }),
  },
  {
    name: 'jira-second-site',
    title: 'The Jira account has two sites to choose from',
    isOn: ({ jira }) => jira.sites['acme-labs'].offered,
    set: ({ jira }, on) => Object.assign(jira.sites['acme-labs'], { offered: on }),
  },
]
