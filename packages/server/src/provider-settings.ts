import { createPrivateKey } from 'node:crypto'

/** The applications at the providers, as far as the settings name them. A provider is left out or given whole. */
export interface ProviderSettings {
  readonly addresses: {
    readonly githubWeb: string
    readonly githubApi: string
    readonly jiraAuth: string
    readonly jiraApi: string
    readonly slackWeb: string
    readonly slackApi: string
  }
  readonly github:
    | {
        readonly appId: string
        readonly slug: string
        readonly clientId: string
        readonly clientSecret: string
        readonly privateKey: string
        readonly webhookSecrets: readonly string[]
      }
    | undefined
  readonly jira: { readonly clientId: string; readonly clientSecret: string } | undefined
  readonly slack:
    | {
        readonly clientId: string
        readonly clientSecret: string
        readonly signingSecrets: readonly string[]
      }
    | undefined
}

type Given = ReadonlyMap<string, string>

/** Reads what the settings say of the providers. What is wrong is added to `faults`, one line each. */
export function readProviderSettings(given: Given, faults: string[]): ProviderSettings {
  const base = (name: string, otherwise: string) => readBase(given, faults, { name, otherwise })
  return {
    addresses: {
      githubWeb: base('SIGNALBOX_GITHUB_WEB_URL', 'https://github.com'),
      githubApi: base('SIGNALBOX_GITHUB_API_URL', 'https://api.github.com'),
      jiraAuth: base('SIGNALBOX_JIRA_AUTH_URL', 'https://auth.atlassian.com'),
      jiraApi: base('SIGNALBOX_JIRA_API_URL', 'https://api.atlassian.com'),
      slackWeb: base('SIGNALBOX_SLACK_WEB_URL', 'https://slack.com'),
      slackApi: base('SIGNALBOX_SLACK_API_URL', 'https://slack.com/api'),
    },
    github: readGithub(given, faults),
    jira: readWhole(given, faults, {
      prefix: 'SIGNALBOX_JIRA_',
      names: { clientId: 'CLIENT_ID', clientSecret: 'CLIENT_SECRET' },
    }),
    slack: readSlack(given, faults),
  }
}

function readGithub(given: Given, faults: string[]): ProviderSettings['github'] {
  const app = readWhole(given, faults, {
    prefix: 'SIGNALBOX_GITHUB_',
    names: {
      appId: 'APP_ID',
      slug: 'APP_SLUG',
      clientId: 'CLIENT_ID',
      clientSecret: 'CLIENT_SECRET',
      privateKey: 'PRIVATE_KEY',
      webhookSecret: 'WEBHOOK_SECRET',
    },
  })
  if (app === undefined) return undefined
  if (!/^\d{1,20}$/.test(app.appId)) {
    faults.push('SIGNALBOX_GITHUB_APP_ID must be the number of the App, such as 123456.')
  }
  const { webhookSecret, ...others } = app
  // Files of environment variables hold no line breaks.
  const privateKey = app.privateKey.replaceAll('\\n', '\n')
  if (!isPrivateKey(privateKey)) {
    faults.push(
      'SIGNALBOX_GITHUB_PRIVATE_KEY must be the private key of the App as GitHub gave it, a PEM file.',
    )
  }
  return { ...others, privateKey, webhookSecrets: listOf(webhookSecret) }
}

function readSlack(given: Given, faults: string[]): ProviderSettings['slack'] {
  const app = readWhole(given, faults, {
    prefix: 'SIGNALBOX_SLACK_',
    names: {
      clientId: 'CLIENT_ID',
      clientSecret: 'CLIENT_SECRET',
      signingSecret: 'SIGNING_SECRET',
    },
  })
  if (app === undefined) return undefined
  const { signingSecret, ...others } = app
  return { ...others, signingSecrets: listOf(signingSecret) }
}

/** All of the names or none: half an application connects nobody. */
export function readWhole<Name extends string>(
  given: Given,
  faults: string[],
  { prefix, names }: { readonly prefix: string; readonly names: Readonly<Record<Name, string>> },
): Record<Name, string> | undefined {
  const wanted = Object.entries<string>(names).map(([name, suffix]) => ({
    name,
    variable: `${prefix}${suffix}`,
  }))
  const missing = wanted.filter(({ variable }) => !given.has(variable))
  if (missing.length === wanted.length) return undefined
  for (const { variable } of missing) {
    faults.push(`${variable} is missing: the other settings of the same application are given.`)
  }
  if (missing.length > 0) return undefined
  const found = wanted.map(({ name, variable }) => [name, given.get(variable) ?? ''])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each name
  return Object.fromEntries(found) as Record<Name, string>
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** An address that paths are added to, kept without a slash at its end. */
function readBase(
  given: Given,
  faults: string[],
  { name, otherwise }: { readonly name: string; readonly otherwise: string },
): string {
  const text = given.get(name)
  if (text === undefined) return otherwise
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.search === '' && url.hash === '' && url.username === ''
  if (url !== undefined && isPlain && /^https?:$/.test(url.protocol)) {
    return url.href.replace(/\/+$/, '')
  }
  faults.push(`${name} must be an address such as ${otherwise}.`)
  return otherwise
}
