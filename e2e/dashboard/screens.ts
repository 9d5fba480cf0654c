import type { PageId } from '@signalbox/contract'
import type { Emptied } from './answer-reads.ts'

/** Describes the texts of an empty screen. */
export interface Emptiness {
  /** Removes entries from the service's responses. */
  readonly without?: Emptied
  readonly title: string
  /** Why, and what one gets. */
  readonly why: RegExp
  /** The one thing to do: the name of a button or link, or the line to copy. */
  readonly action: string
}

/** A screen that reads something. */
export interface Screen {
  /** `true` for a screen of one of many, which has to be there. */
  readonly isOne?: boolean
  readonly name: string
  /** Below the server; of the organization `/acme`. */
  readonly path: string
  readonly title: string
  /** Selects the changed reads by their path. Default all except the signed-in person. */
  readonly reads?: RegExp
  /** Some have always something, for the reason given. */
  readonly empty: Emptiness | { readonly never: string }
  /** Left out: the screen says who may see it. */
  readonly forbidden?: { readonly instead: string }
}

/** Holds the ids that addresses contain. */
export interface ShownIds {
  readonly deployment: string
  readonly schema: string
  readonly version: string
  /** Of a webhook; there is one where the code host is connected. */
  readonly delivery: string
  /** Holds the number of a change request. */
  readonly request: string
  /** Holds the id of the check of a commit. */
  readonly check: string
  /** Holds the id of the decision about a deployment that asked. */
  readonly decision: string
}

const nothing = { items: [], nextCursor: null }
const noSchema = {
  without: { '/config-schemas': nothing },
  title: 'No schema yet',
  why: /A schema holds the keys of one application/,
  action: 'Create a schema',
} as const

/**
 * Lists what is to be seen of each page in its states: while it loads, for a role that is not enough, when the service fails,
 * and when there is nothing.
 */
export const listScreens = (ids: ShownIds): Readonly<Record<PageId, readonly Screen[]>> => ({
  overview: [
    {
      name: 'overview',
      path: '/acme',
      title: 'Overview',
      empty: {
        without: { '/overview': { environments: [], needsYou: [] } },
        title: 'No environments yet',
        why: /Each environment shows its latest deployment here/,
        action: 'Create an environment',
      },
    },
  ],
  deployments: [
    {
      name: 'deployments',
      path: '/acme/deployments',
      title: 'Deployments',
      empty: {
        without: { '/deployments': nothing },
        title: 'No deployments yet',
        why: /Each deployment will show its commits, issues, tests and message here/,
        action: 'Connect GitHub',
      },
    },
    {
      name: 'checks',
      path: '/acme/deployments?view=checks',
      title: 'Deployments',
      reads: /\/commit-checks$/,
      empty: {
        without: { '/commit-checks': nothing },
        title: 'No commit checks yet',
        why: /which values the environments lack/,
        action: 'signalbox check --upload',
      },
    },
    {
      name: 'deployments-filtered',
      path: '/acme/deployments?branch=nobody-has-it',
      title: 'Deployments',
      empty: {
        title: 'No matching deployments',
        why: /matches all of the filters/,
        action: 'Clear the filters',
      },
    },
  ],
  deployment: [
    {
      name: 'deployment',
      path: `/acme/deployments/${ids.deployment}`,
      title: 'Deployment',
      empty: { never: 'an address that nothing has is no empty one: it is not found' },
    },
  ],
  check: [
    {
      isOne: true,
      name: 'check',
      path: `/acme/deployments/checks/${ids.check}`,
      title: 'Commit check',
      reads: /\/commit-checks\/[^/]+$/,
      empty: { never: 'a check is there or not found' },
    },
  ],
  gates: [
    {
      name: 'gates',
      path: '/acme/gates',
      title: 'Gates',
      empty: {
        without: { '/gates': nothing },
        title: 'No gates yet',
        why: /Without a gate every deployment goes on/,
        action: 'New gate',
      },
    },
  ],
  gateDecision: [
    {
      isOne: true,
      name: 'gate-decision',
      path: `/acme/gates/${ids.decision}`,
      // Its own title is known with the answer.
      title: 'Gate decision',
      reads: /\/gate-decisions\/[^/]+$/,
      empty: { never: 'a decision is there or not found' },
    },
  ],
  environments: [
    {
      name: 'environments',
      path: '/acme/environments',
      title: 'Environments',
      empty: {
        without: { '/environments': nothing },
        title: 'No environments yet',
        why: /An environment is a place in which your software runs/,
        action: 'Create the first environment',
      },
    },
  ],
  timeline: [
    {
      name: 'timeline',
      path: '/acme/timeline',
      title: 'Timeline',
      empty: {
        without: { '/changes': nothing },
        title: 'Nothing changed yet',
        why: /appear here as one list/,
        action: 'Open integrations',
      },
    },
  ],
  config: [
    { name: 'config', path: '/acme/config', title: 'Configuration', empty: noSchema },
    {
      name: 'config-matrix',
      path: '/acme/config',
      title: 'Configuration',
      reads: /\/config-matrix$/,
      empty: {
        without: { '/config-matrix': { environments: [] } },
        title: 'No environments yet',
        why: /Each environment is a column here/,
        action: 'Create an environment',
      },
    },
  ],
  flags: [
    {
      name: 'flags',
      path: '/acme/flags',
      title: 'Flags',
      empty: {
        without: { '/config-matrix': { keys: [] } },
        title: 'No flags yet',
        why: /A flag is a key that is on or off/,
        action: 'Add a flag',
      },
    },
  ],
  segments: [
    {
      name: 'segments',
      path: '/acme/segments',
      title: 'Segments',
      empty: {
        without: { '/segments': nothing },
        title: 'No segments yet',
        why: /A segment is a named group of users/,
        action: 'Create a segment',
      },
    },
    {
      isOne: true,
      name: 'segment',
      path: '/acme/segments?segment=staff',
      title: 'Segments',
      reads: /\/segments\/[^/]+$/,
      empty: { never: 'a segment is there or not found' },
    },
  ],
  schemas: [
    { name: 'schemas', path: '/acme/schemas', title: 'Schemas', empty: noSchema },
    {
      isOne: true,
      name: 'schema',
      path: `/acme/schemas?schema=${ids.schema}`,
      title: 'Schemas',
      empty: { never: 'a schema that is gone is no page: its list is shown' },
    },
  ],
  import: [
    {
      name: 'import',
      path: `/acme/schemas/${ids.schema}/import`,
      title: 'Import',
      empty: {
        without: { '/environments': nothing },
        title: 'No environments yet',
        why: /Each environment is a column here/,
        action: 'Create an environment',
      },
    },
  ],
  history: [
    { name: 'history', path: '/acme/history', title: 'History', empty: noSchema },
    {
      name: 'history-versions',
      path: '/acme/history',
      title: 'History',
      reads: /\/config-versions$/,
      empty: {
        without: { '/config-versions': nothing },
        title: 'Nothing was saved yet',
        why: /Every save appears here/,
        action: 'Set a value',
      },
    },
    {
      isOne: true,
      name: 'version',
      path: `/acme/history?version=${ids.version}`,
      title: 'History',
      reads: /\/config-versions\/[^/]+$/,
      empty: { never: 'a version is there or not found' },
    },
  ],
  requests: [
    {
      name: 'requests',
      path: '/acme/requests',
      title: 'Requests',
      empty: {
        without: { '/change-requests': nothing },
        title: 'Nobody waits for you',
        why: /Requests appear here when an environment needs approvals/,
        action: 'Open the environments',
      },
    },
    {
      name: 'requests-filtered',
      path: '/acme/requests?view=all&state=failed',
      title: 'Requests',
      empty: {
        title: 'No matching requests',
        why: /No request is in this state/,
        action: 'Any state',
      },
    },
  ],
  request: [
    {
      isOne: true,
      name: 'request',
      path: `/acme/requests/${ids.request}`,
      // Its own title is known with the answer.
      title: 'Request',
      reads: /\/change-requests\/[^/]+$/,
      empty: { never: 'a request is there or not found' },
    },
  ],
  integrations: [
    {
      name: 'integrations',
      path: '/acme/integrations',
      title: 'Integrations',
      empty: {
        title: 'GitHub',
        why: /Signalbox shows deployments with their commits/,
        action: 'Connect GitHub',
      },
    },
  ],
  integration: (
    [
      ['codehost', 'Code host', 'GitHub'],
      ['tracker', 'Issue tracker', 'Jira'],
      ['chat', 'Chat', 'Slack'],
    ] as const
  ).map(([kind, title, provider]) => {
    return {
      name: `integration-${kind}`,
      path: `/acme/integrations/${kind}`,
      // The provider is known with the answer.
      title,
      empty: { title: provider, why: /\w/, action: `Connect ${provider}` },
    }
  }),
  notifications: [
    {
      name: 'notifications',
      path: '/acme/notifications',
      title: 'Notifications',
      empty: {
        title: 'Slack is not connected',
        why: /Each deployment gets one message there/,
        action: 'Connect Slack',
      },
    },
  ],
  webhooks: [
    {
      name: 'webhooks',
      path: '/acme/webhooks',
      title: 'Incoming webhooks',
      empty: {
        title: 'No webhooks yet',
        why: /What your integrations send to this server appears here/,
        action: 'Open the integrations',
      },
    },
    {
      isOne: true,
      name: 'delivery',
      path: `/acme/webhooks?delivery=${ids.delivery}`,
      title: 'Incoming webhooks',
      reads: /\/webhook-deliveries\/[^/]+$/,
      empty: { never: 'a webhook is there or not found' },
    },
  ],
  outgoing: [
    {
      name: 'outgoing',
      path: '/acme/outgoing-webhooks',
      title: 'Outgoing webhooks',
      empty: {
        without: { '/outgoing-webhooks': nothing },
        title: 'No outgoing webhooks yet',
        why: /Add one to tell another tool about changes, deployments and tests/,
        action: 'New webhook',
      },
    },
  ],
  signals: [
    {
      name: 'signals',
      path: '/acme/signals',
      title: 'Signals',
      empty: {
        without: { '/signals': nothing },
        title: 'No signals yet',
        why: /Once there is one, changes can be watched/,
        action: 'New signal',
      },
    },
  ],
  targets: [
    {
      name: 'targets',
      path: '/acme/targets',
      title: 'Targets',
      empty: {
        without: { '/targets': nothing },
        title: 'No targets yet',
        why: /as they are here/,
        action: 'New target',
      },
    },
  ],
  keys: [
    {
      name: 'keys',
      path: '/acme/keys',
      title: 'API keys',
      empty: {
        without: { '/api-keys': nothing },
        title: 'No keys yet',
        why: /Applications need one to read their configuration/,
        action: 'New key',
      },
    },
  ],
  members: [
    {
      name: 'members',
      path: '/acme/members',
      title: 'Members',
      empty: { never: 'whoever looks is a member' },
    },
    {
      name: 'groups',
      path: '/acme/members?view=groups',
      title: 'Members',
      reads: /\/groups$/,
      empty: {
        title: 'No groups yet',
        why: /gives several people the same grants/,
        action: 'New group',
      },
    },
    {
      name: 'grants',
      path: '/acme/members?view=grants',
      title: 'Members',
      reads: /\/grants$/,
      empty: {
        title: 'No grants yet',
        why: /A grant adds to it/,
        action: 'New grant',
      },
    },
  ],
  audit: [
    {
      name: 'audit',
      path: '/acme/audit?action=nobody.did',
      title: 'Audit log',
      empty: {
        title: 'Nothing matches',
        why: /matches all of the filters/,
        action: 'Clear the filters',
      },
    },
  ],
  settings: [
    {
      name: 'settings',
      path: '/acme/settings',
      title: 'Settings',
      empty: { never: 'an organization has a name' },
      forbidden: { instead: 'what is about the server is not there' },
    },
  ],
  account: [
    {
      name: 'account',
      path: '/account',
      title: 'Your account',
      empty: { title: 'Personal access tokens', why: /creates its own/, action: 'New token' },
    },
  ],
  // These read nothing of an organization: states-of-shell.test.ts shows them.
  organizations: [],
  device: [],
  assistant: [],
  signIn: [],
  setup: [],
  invitation: [],
})
