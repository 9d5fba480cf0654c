import { createPrivateKey } from 'node:crypto'
import type { ApplicationField } from '../application-field.ts'
import { valueOf, type ProviderApplication } from '../context.ts'

/** Describes a GitHub App as it was registered. */
export interface GithubApp {
  /** Digits. */
  readonly appId: string
  /** As in `https://github.com/apps/<slug>`. */
  readonly slug: string
  readonly clientId: string
  readonly clientSecret: string
  /** PEM, RS256. */
  readonly privateKey: string
}

const digits = /^\d{1,20}$/
const slug = /^[a-z0-9](?:[a-z0-9-]{0,99})$/

/** Lists what the App may reach. `installation` and `github_app_authorization` come to every App unasked. */
export const githubPermissions = {
  metadata: 'read',
  deployments: 'write',
  actions: 'write',
  contents: 'read',
  issues: 'read',
  pull_requests: 'read',
  checks: 'write',
  statuses: 'write',
} as const

/** Lists the events that the App is subscribed to. */
export const githubEvents = [
  'deployment',
  'deployment_status',
  'workflow_run',
  'push',
  'issues',
  'pull_request',
  'deployment_protection_rule',
] as const

/** Lists what a GitHub App is known by, in the order in which its page shows it. */
export const githubFields: readonly ApplicationField[] = [
  {
    name: 'appId',
    setting: 'APP_ID',
    meaning: 'ID of the GitHub App.',
    label: 'App ID',
    role: 'identity',
    check: {
      accepts: (value) => digits.test(value),
      advice: 'Enter the number that GitHub shows as the App ID.',
      setting: 'the ID of the App, such as 123456.',
    },
  },
  {
    name: 'slug',
    setting: 'APP_SLUG',
    meaning: 'Name of the GitHub App in its URL.',
    label: 'Slug',
    role: 'text',
    hint: 'The last part of the URL of the App’s page.',
    check: {
      accepts: (value) => slug.test(value),
      advice: 'Enter the last part of the URL of the App’s page.',
    },
  },
  {
    name: 'clientId',
    setting: 'CLIENT_ID',
    meaning: 'OAuth client ID of the GitHub App.',
    label: 'Client ID',
    role: 'identity',
  },
  {
    name: 'clientSecret',
    setting: 'CLIENT_SECRET',
    meaning: 'OAuth client secret of the GitHub App.',
    label: 'Client secret',
    role: 'secret',
  },
  {
    name: 'privateKey',
    setting: 'PRIVATE_KEY',
    meaning: 'Private key of the GitHub App, PEM. Line breaks may be written as `\\n`.',
    label: 'Private key',
    role: 'secret',
    isMultiline: true,
    placeholder: '-----BEGIN RSA PRIVATE KEY-----',
    check: {
      accepts: isRsaKey,
      advice:
        'Enter the whole private key of the App, as the PEM file that GitHub lets you download.',
      setting: 'the private key of the App, as the PEM file from GitHub.',
    },
  },
  {
    name: 'webhookSecret',
    setting: 'WEBHOOK_SECRET',
    meaning:
      'Secret with which GitHub signs webhooks. During a rotation, two secrets separated by a comma.',
    label: 'Webhook secret',
    role: 'webhookSecret',
  },
]

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/** Returns the App that the values of an application describe. */
export function toGithubApp({ values }: Pick<ProviderApplication, 'values'>): GithubApp {
  return {
    appId: valueOf(values, 'appId'),
    slug: valueOf(values, 'slug'),
    clientId: valueOf(values, 'clientId'),
    clientSecret: valueOf(values, 'clientSecret'),
    privateKey: valueOf(values, 'privateKey'),
  }
}
