import type { Sandbox } from '../sandbox.ts'

/** Describes a fault that a visitor triggers, once for each press. */
export interface Switch {
  /** Example: `slack-too-many`. */
  readonly name: string
  readonly title: string
  readonly explains: string
  /** Says whether the page offers it. Default: always. */
  readonly isShown?: (sandbox: Sandbox) => boolean
  readonly turn: (sandbox: Sandbox) => void
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
    explains: "The code host doesn't send it again.",
    turn: ({ stage }) => usualHost(stage)?.faults.loseNext(1),
  },
  {
    name: 'webhook-repeat-last',
    title: 'Deliver the last webhook again',
    explains: 'Works like “Redeliver” on GitHub and “Resend” on GitLab.',
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
    explains:
      'On GitHub, GitLab, Forgejo and Jira, and on Slack if tokens rotate. Refresh tokens still work.',
    turn({ forgejo, github, gitlab, jira, slack }) {
      github.tokens.expireAll()
      gitlab.expireTokens()
      forgejo.expireTokens()
      jira.expireTokens()
      slack.expireTokens()
    },
  },
  {
    name: 'gitlab-lag',
    title: 'GitLab: refuse a good refresh token',
    explains: 'Answers the next refresh with invalid_grant, as a replica that lags does.',
    isShown: ({ gitlab }) => gitlab.codeHost.isConnected(),
    turn: ({ gitlab }) => {
      gitlab.settings.refusesGoodRefreshes += 1
    },
  },
  {
    name: 'gitlab-revoke',
    title: 'GitLab: revoke the application',
    explains: 'Ends all of its tokens. Connect again afterwards.',
    isShown: ({ gitlab }) => gitlab.codeHost.isConnected(),
    turn: ({ gitlab }) => gitlab.revokeGrants(),
  },
  {
    name: 'forgejo-revoke',
    title: 'Forgejo: remove the application',
    explains: 'Ends all of its tokens, as in the settings of the person. Connect again afterwards.',
    isShown: ({ forgejo }) => forgejo.codeHost.isConnected(),
    turn: ({ forgejo }) => forgejo.revokeGrants(),
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
  /** Says whether the page offers it. Default: always. */
  readonly isShown?: (sandbox: Sandbox) => boolean
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
  {
    name: 'gitlab-signing',
    title: 'GitLab signs webhooks for hooks with a signing token',
    isShown: ({ gitlab }) => gitlab.codeHost.isConnected(),
    isOn: ({ gitlab }) => gitlab.settings.hasSigningTokens,
    set: ({ gitlab }, on) => Object.assign(gitlab.settings, { hasSigningTokens: on }),
  },
]
