/** One environment variable the service reads. The reference page and `signalbox env` are made from this table. */
export interface SettingDefinition {
  readonly name: `SIGNALBOX_${string}` | 'DATABASE_URL'
  /** What happens when it is left out, as shown to people. */
  readonly defaultText: string
  readonly meaning: string
  /** Shown masked, and never logged. */
  readonly secret?: true
  /** Read by a part of the service that this version does not have yet: setting it changes nothing, and the start says so. */
  readonly reserved?: true
}

const integrations = (
  prefix: string,
  names: readonly (readonly [string, string, string, 'secret'?])[],
): SettingDefinition[] =>
  names.map(([name, defaultText, meaning, secret]) => ({
    name: `SIGNALBOX_${prefix}_${name}`,
    defaultText,
    meaning,
    ...(secret === undefined ? {} : { secret: true }),
  }))

/** Every setting, in the order people meet them. */
export const settingTable: readonly SettingDefinition[] = [
  {
    name: 'SIGNALBOX_HOST',
    defaultText: '127.0.0.1',
    meaning: 'Address to listen on. `0.0.0.0` for all.',
  },
  {
    name: 'SIGNALBOX_API_PORT',
    defaultText: '4400',
    meaning: 'Port of the API and the dashboard. 0 takes any free port.',
  },
  {
    name: 'SIGNALBOX_DELIVERY_PORT',
    defaultText: '4401',
    meaning: 'Port of configuration delivery. 0 takes any free port.',
  },
  {
    name: 'SIGNALBOX_PUBLIC_URL',
    defaultText: 'the API listener',
    meaning:
      'Where people and browsers reach the API, as `https://signalbox.example.com`. Cookies and links depend on it.',
  },
  {
    name: 'SIGNALBOX_CONFIG_URL',
    defaultText: 'the delivery listener',
    meaning: 'Where applications reach configuration delivery.',
  },
  {
    name: 'SIGNALBOX_DATA_DIR',
    defaultText: '.signalbox in the working directory',
    meaning:
      'Embedded database, snapshot cache and root key file. Made with mode 0700; by root with 0711, because PostgreSQL then runs as another user, who has to pass through.',
  },
  {
    name: 'DATABASE_URL',
    defaultText: 'the embedded PostgreSQL',
    meaning:
      '`postgres://user:password@host:5432/database`, PostgreSQL 15 or newer; several hosts may be given, separated by commas.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_ROLES',
    defaultText: 'api,worker,delivery',
    meaning: 'What this process does. A process with `delivery` alone needs no database to read.',
  },
  {
    name: 'SIGNALBOX_ROOT_KEY',
    defaultText: 'generated into the data directory (embedded database only)',
    meaning:
      '32 bytes as base64url; everything secret is sealed under it. During a rotation two, separated by a comma: the one in force first. Required with `DATABASE_URL` by all roles but `delivery`.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_BOOTSTRAP_TOKEN',
    defaultText: 'off',
    meaning:
      'At least 32 characters; accepted as an owner-level token by scripts that create organizations and keys.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_LOG_LEVEL',
    defaultText: 'info',
    meaning: '`debug`, `info`, `warn`, `error` or `silent`.',
  },
  {
    name: 'SIGNALBOX_LOG_FORMAT',
    defaultText: 'pretty on a terminal, else json',
    meaning: '`pretty` or `json`.',
  },
  {
    name: 'SIGNALBOX_RATE_LIMITS',
    defaultText: 'the documented limits',
    meaning:
      '`off`, or overrides such as `delivery=200/400,write=50` (requests a second, then the burst).',
  },
  {
    name: 'SIGNALBOX_TRUSTED_PROXIES',
    defaultText: 'none',
    meaning:
      'Networks whose `X-Forwarded-For` is believed, such as `10.0.0.0/8`. Limits and the audit log use the address of the caller.',
  },
  {
    name: 'SIGNALBOX_EGRESS_ALLOW',
    defaultText: 'none',
    meaning:
      'Hosts, addresses and networks that outbound calls may reach although they are private, such as a GitHub of your own. Plain http is allowed there.',
  },
  {
    name: 'SIGNALBOX_NATS_URL',
    defaultText: 'off',
    meaning: 'Snapshot fan-out to many delivery nodes.',
    reserved: true,
  },
  ...integrations('OIDC', [
    [
      'ISSUER',
      'not set up',
      'The OpenID provider that people may sign in with, by the address that it names itself with. Its callback URL is `/sign-in/oidc/callback` of the public address.',
    ],
    ['CLIENT_ID', 'not set up', 'Client id of this server at the OpenID provider.'],
    [
      'CLIENT_SECRET',
      'not set up',
      'Client secret of this server at the OpenID provider.',
      'secret',
    ],
    ['NAME', 'the host of the issuer', 'What the button to sign in with it says.'],
  ]),
  ...integrations('GITHUB', [
    ['WEB_URL', 'https://github.com', 'Address of GitHub for people.'],
    ['API_URL', 'https://api.github.com', 'Address of the GitHub API.'],
    ['APP_ID', 'not set up', 'Id of the GitHub App.'],
    ['APP_SLUG', 'not set up', 'Name of the GitHub App in URLs.'],
    ['CLIENT_ID', 'not set up', 'OAuth client id of the GitHub App.'],
    ['CLIENT_SECRET', 'not set up', 'OAuth client secret of the GitHub App.', 'secret'],
    [
      'PRIVATE_KEY',
      'not set up',
      'Private key of the GitHub App, PEM. Line breaks may be written as `\\n`.',
      'secret',
    ],
    [
      'WEBHOOK_SECRET',
      'not set up',
      'Secret that GitHub signs webhooks with. During a rotation two, separated by a comma.',
      'secret',
    ],
  ]),
  ...integrations('JIRA', [
    ['AUTH_URL', 'https://auth.atlassian.com', 'Where Jira Cloud grants access.'],
    ['API_URL', 'https://api.atlassian.com', 'Address of the Jira Cloud API.'],
    ['CLIENT_ID', 'not set up', 'OAuth client id of the Jira app.'],
    ['CLIENT_SECRET', 'not set up', 'OAuth client secret of the Jira app.', 'secret'],
  ]),
  ...integrations('SLACK', [
    ['WEB_URL', 'https://slack.com', 'Where Slack grants access.'],
    ['API_URL', 'https://slack.com/api', 'Address of the Slack API.'],
    ['CLIENT_ID', 'not set up', 'OAuth client id of the Slack app.'],
    ['CLIENT_SECRET', 'not set up', 'OAuth client secret of the Slack app.', 'secret'],
    [
      'SIGNING_SECRET',
      'not set up',
      'Secret that Slack signs requests with. During a rotation two, separated by a comma.',
      'secret',
    ],
  ]),
]

/** Variables of the command line and of applications. They may be set beside the service and are not its settings. */
export const clientVariables: readonly string[] = [
  'SIGNALBOX_URL',
  'SIGNALBOX_TOKEN',
  'SIGNALBOX_BROWSER_KEY',
  'SIGNALBOX_PROFILE',
  'SIGNALBOX_ORGANIZATION',
  'SIGNALBOX_ENVIRONMENT',
  'SIGNALBOX_SCHEMA_ID',
  'SIGNALBOX_ENVIRONMENT_ID',
  'SIGNALBOX_SAFE_DIRECTORY',
  'SIGNALBOX_ALLOW_HTTP',
  'SIGNALBOX_PASSPHRASE',
  'SIGNALBOX_PASSPHRASE_FILE',
]
