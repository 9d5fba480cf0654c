import type { Emptied } from './answer-reads.ts'

/** What a screen says when there is nothing to show. */
export interface Emptiness {
  /** What is taken out of the service's answers, where it has something. */
  readonly without?: Emptied
  readonly title: string
  /** Why, and what one gets. */
  readonly why: RegExp
  /** The one thing to do: the name of a button or link, or the line to copy. */
  readonly action: string
}

/** A screen that reads something. */
export interface Screen {
  readonly name: string
  /** Below the server; of the organization `/acme`. */
  readonly path: string
  readonly title: string
  /** Which reads are answered otherwise, by their path; left out: all of them but who is signed in. */
  readonly reads?: RegExp
  /** Some have always something, for the reason given. */
  readonly empty: Emptiness | { readonly never: string }
  /** Left out: the screen says who may see it. */
  readonly forbidden?: { readonly instead: string }
}

/** What addresses name. */
export interface ShownIds {
  readonly deployment: string
  readonly schema: string
  readonly version: string
  /** Of a webhook; there is one where the code host is connected. */
  readonly delivery: string
}

const nothing = { items: [], nextCursor: null }
const push = 'npx signalbox init && npx signalbox push --env development'
const noKeys = {
  without: { '/config-schemas': nothing },
  title: 'No keys yet',
  why: /A definition in your code declares the keys/,
  action: push,
} as const

/** What is deployed, with the page of one deployment. */
export const listScreensOfWork = (deploymentId: string): readonly Screen[] => [
  {
    name: 'overview',
    path: '/acme',
    title: 'Overview',
    empty: {
      without: { '/overview': { environments: [], needsYou: [] } },
      title: 'No environments yet',
      why: /Each one shows here what is deployed there/,
      action: 'Create an environment',
    },
  },
  {
    name: 'deployments',
    path: '/acme/deployments',
    title: 'Deployments',
    empty: {
      without: { '/deployments': nothing },
      title: 'No deployments yet',
      why: /Each one will show its commits, issues, tests and message here/,
      action: 'Connect GitHub',
    },
  },
  {
    name: 'deployments-filtered',
    path: '/acme/deployments?branch=nobody-has-it',
    title: 'Deployments',
    empty: {
      title: 'No deployment matches',
      why: /matches all of the filters/,
      action: 'Clear the filters',
    },
  },
  {
    name: 'deployment',
    path: `/acme/deployments/${deploymentId}`,
    title: 'Deployment',
    empty: { never: 'an address that nothing has is no empty one: it is not found' },
  },
  {
    name: 'environments',
    path: '/acme/environments',
    title: 'Environments',
    empty: {
      without: { '/environments': nothing },
      title: 'No environments yet',
      why: /An environment is a place that your software runs in/,
      action: 'Create the first environment',
    },
  },
]

export const screensOfConfiguration: readonly Screen[] = [
  {
    name: 'timeline',
    path: '/acme/timeline',
    title: 'Timeline',
    empty: {
      without: { '/changes': nothing },
      title: 'Nothing changed yet',
      why: /appear here as one list/,
      action: 'Look at the integrations',
    },
  },
  { name: 'config', path: '/acme/config', title: 'Configuration', empty: noKeys },
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
  {
    name: 'flags',
    path: '/acme/flags',
    title: 'Flags',
    empty: {
      without: { '/config-matrix': { keys: [] } },
      title: 'No flags yet',
      why: /A flag is a boolean key in your definition/,
      action: "newCheckout: { type: 'boolean', default: false }",
    },
  },
  { name: 'schemas', path: '/acme/schemas', title: 'Schemas', empty: noKeys },
  { name: 'history', path: '/acme/history', title: 'History', empty: noKeys },
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
]

export const screensOfIntegrations: readonly Screen[] = [
  {
    name: 'integrations',
    path: '/acme/integrations',
    title: 'Integrations',
    empty: {
      title: 'GitHub',
      why: /Deployments appear automatically, with their commits/,
      action: 'Connect GitHub',
    },
  },
  ...(['codehost GitHub', 'tracker Jira', 'chat Slack'] as const).map((pair) => {
    const [kind = '', provider = ''] = pair.split(' ')
    return {
      name: `integration-${kind}`,
      path: `/acme/integrations/${kind}`,
      title: provider,
      empty: { title: provider, why: /\w/, action: `Connect ${provider}` },
    }
  }),
  {
    name: 'notifications',
    path: '/acme/notifications',
    title: 'Notifications',
    empty: {
      title: 'Slack is not connected',
      why: /each deployment gets one message/,
      action: 'Connect Slack',
    },
  },
  {
    name: 'webhooks',
    path: '/acme/webhooks',
    title: 'Webhooks',
    empty: {
      title: 'No deliveries yet',
      why: /What GitHub and Slack send to this server appears here/,
      action: 'Open the integrations',
    },
  },
]

/** What is one of many, as a page or over its list. */
export const listScreensOfOne = ({
  schema,
  version,
  delivery,
}: Omit<ShownIds, 'deployment'>): readonly Screen[] => [
  {
    name: 'schema',
    path: `/acme/schemas?schema=${schema}`,
    title: 'Schemas',
    empty: { never: 'a schema that is gone is no page: its list is shown' },
  },
  {
    name: 'version',
    path: `/acme/history?version=${version}`,
    title: 'History',
    reads: /\/config-versions\/[^/]+$/,
    empty: { never: 'a version is there or not found' },
  },
  {
    name: 'delivery',
    path: `/acme/webhooks?delivery=${delivery}`,
    title: 'Webhooks',
    reads: /\/webhook-deliveries\/[^/]+$/,
    empty: { never: 'a webhook is there or not found' },
  },
]

export const screensOfPeople: readonly Screen[] = [
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
  {
    name: 'members',
    path: '/acme/members',
    title: 'Members',
    empty: { never: 'whoever looks is a member' },
  },
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
  {
    name: 'settings',
    path: '/acme/settings',
    title: 'Settings',
    empty: { never: 'an organization has a name' },
    forbidden: { instead: 'what is about the server is not there' },
  },
  {
    name: 'account',
    path: '/account',
    title: 'Your account',
    empty: { title: 'Personal access tokens', why: /creates its own/, action: 'New token' },
  },
]
