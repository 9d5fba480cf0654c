import type { ProviderName } from '../http/provider.ts'
import type { Sandbox } from '../sandbox.ts'

/** Describes a fault that a visitor triggers, once for each press. */
export interface Switch {
  /** Example: `slack-too-many`. */
  readonly name: string
  readonly title: string
  readonly explains: string
  /** Names the provider that it is about: the page offers it where that takes part. Default: it is about every code host. */
  readonly of?: ProviderName
  readonly turn: (sandbox: Sandbox) => void
}

/** Returns whether the page offers a switch or a setting: its provider takes part, or a product is connected to it. */
export function isOffered(
  { participants, stage }: Pick<Sandbox, 'participants' | 'stage'>,
  { of }: Pick<Switch, 'of'>,
): boolean {
  if (of === undefined || participants.includes(of)) return true
  return stage.codeHosts.some((host) => host.name === of && host.isConnected())
}

/** Returns the code host that the next push goes to. */
function usualHost(stage: Sandbox['stage']) {
  return stage.hosts()[0]
}

/** Lists the faults in the order in which the page offers them. */
export const switches: readonly Switch[] = [
  {
    name: 'webhook-twice',
    title: 'Deliver the next webhook twice',
    explains: 'Sends the same bytes under the same id.',
    turn: ({ stage }) => usualHost(stage)?.faults.repeatNext(1),
  },
  {
    name: 'webhook-lost',
    title: 'Lose the next webhook',
    explains: "The provider doesn't send it again.",
    turn: ({ stage }) => usualHost(stage)?.faults.loseNext(1),
  },
  {
    name: 'webhook-repeat-last',
    title: 'Deliver the last webhook again',
    explains: 'Works like the button of the code host that sends one again.',
    turn: ({ stage }) => usualHost(stage)?.sendLastAgain(),
  },
  {
    name: 'webhook-shuffle',
    title: 'Deliver webhooks in reverse',
    explains: 'Collects the webhooks of the next four seconds, then sends the last one first.',
    turn({ stage, scheduler }) {
      const faults = usualHost(stage)?.faults
      if (faults === undefined) return
      faults.hold()
      const run = () => void faults.release([...faults.held().keys()].toReversed())
      scheduler.play([{ afterMs: 4_000, run }])
    },
  },
  {
    name: 'slack-too-many',
    title: 'Slack: too many requests',
    explains: 'Answers the next call with 429 and asks for a retry after three seconds.',
    of: 'slack',
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
    of: 'slack',
    turn: ({ faults }) =>
      faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault: { kind: 'cut' } }),
  },
  {
    name: 'slack-drip',
    title: 'Slack: byte by byte',
    explains: 'Answers the next call slowly, but completely.',
    of: 'slack',
    turn: ({ faults }) => faults.add({ provider: 'slack', fault: { kind: 'drip', everyMs: 20 } }),
  },
  {
    name: 'discord-cut',
    title: 'Discord: posted, but no answer',
    explains: 'Posts the next message and closes the connection without an answer.',
    of: 'discord',
    turn: ({ faults }) =>
      faults.add({ provider: 'discord', request: 'POST /channels/', fault: { kind: 'cut' } }),
  },
  {
    name: 'mattermost-cut',
    title: 'Mattermost: posted, but no answer',
    explains: 'Posts the next message and closes the connection without an answer.',
    of: 'mattermost',
    turn: ({ faults }) =>
      faults.add({ provider: 'mattermost', request: 'POST /posts', fault: { kind: 'cut' } }),
  },
  {
    name: 'linear-too-many',
    title: 'Linear: too many requests',
    explains: 'Answers calls with 400 and RATELIMITED for three seconds.',
    of: 'linear',
    turn: ({ linear }) => linear.spend('requests', 3_000),
  },
  {
    name: 'jira-too-many',
    title: 'Jira: too many requests',
    explains: 'Answers the next call with 429 and asks for a retry after three seconds.',
    of: 'jira',
    turn: ({ faults, jira }) =>
      faults.add({ provider: 'jira', fault: jira.rateLimited({ retryAfterSeconds: 3 }) }),
  },
  {
    name: 'github-down',
    title: 'GitHub: unavailable',
    explains: 'Answers the next three calls with 502 and an HTML page.',
    of: 'github',
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
    explains: 'Refresh tokens still work. Tokens that never expire stay valid.',
    turn({ forgejo, github, gitlab, jira, linear, slack }) {
      github.tokens.expireAll()
      gitlab.expireTokens()
      forgejo.expireTokens()
      jira.expireTokens()
      linear.expireTokens()
      slack.expireTokens()
    },
  },
  {
    name: 'gitlab-lag',
    title: 'GitLab: refuse a good refresh token',
    explains: 'Answers the next refresh with invalid_grant, as a replica that lags does.',
    of: 'gitlab',
    turn: ({ gitlab }) => {
      gitlab.settings.refusesGoodRefreshes += 1
    },
  },
  {
    name: 'gitlab-revoke',
    title: 'GitLab: revoke the application',
    explains: 'Ends all of its tokens. Connect again afterwards.',
    of: 'gitlab',
    turn: ({ gitlab }) => gitlab.revokeGrants(),
  },
  {
    name: 'forgejo-revoke',
    title: 'Forgejo: remove the application',
    explains: 'Ends all of its tokens, as in the settings of the person. Connect again afterwards.',
    of: 'forgejo',
    turn: ({ forgejo }) => forgejo.revokeGrants(),
  },
  {
    name: 'jira-revoke',
    title: 'Jira: remove the grant',
    explains: 'Removes the app from the account. Connect again afterwards.',
    of: 'jira',
    turn: ({ jira }) => jira.removeGrant(),
  },
  {
    name: 'slack-uninstall',
    title: 'Slack: remove the app',
    explains: 'Removes the app from the workspace. Connect again afterwards.',
    of: 'slack',
    turn: ({ slack }) => slack.uninstall(),
  },
]

/** Describes a setting, which applies to the authorizations and calls that follow. */
export interface Setting {
  readonly name: string
  readonly title: string
  /** Names the provider that it is about: the page offers it where that takes part. */
  readonly of: ProviderName
  readonly isOn: (sandbox: Sandbox) => boolean
  readonly set: (sandbox: Sandbox, on: boolean) => void
}

/** Lists the settings that stay on until they are turned off, in the order in which the page offers them. */
export const settings: readonly Setting[] = [
  {
    name: 'slack-rotation',
    title: 'Slack’s tokens expire and rotate',
    of: 'slack',
    isOn: ({ slack }) => slack.rotation,
    set: ({ slack }, on) => Object.assign(slack, { rotation: on }),
  },
  {
    name: 'slack-rate-limit',
    title: 'Slack accepts one message per second and channel',
    of: 'slack',
    isOn: ({ slack }) => slack.rateLimit,
    set: ({ slack }, on) => Object.assign(slack, { rateLimit: on }),
  },
  {
    name: 'jira-second-site',
    title: 'The Jira account has two sites to choose from',
    of: 'jira',
    isOn: ({ jira }) => jira.sites['acme-labs'].offered,
    set: ({ jira }, on) => Object.assign(jira.sites['acme-labs'], { offered: on }),
  },
  {
    name: 'gitlab-signing',
    title: 'GitLab signs webhooks for hooks with a signing token',
    of: 'gitlab',
    isOn: ({ gitlab }) => gitlab.settings.hasSigningTokens,
    set: ({ gitlab }, on) => Object.assign(gitlab.settings, { hasSigningTokens: on }),
  },
]
