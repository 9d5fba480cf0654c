import { settingOf } from './provider-settings.ts'
import { isSecret } from '../providers/application-field.ts'
import type { Provider } from '../providers/provider.ts'
import { addressed } from '../providers/find-provider.ts'

/** Describes an environment variable that the service reads. The reference page and `signalbox env` render the table of them. */
export interface SettingDefinition {
  readonly name: `SIGNALBOX_${string}` | 'DATABASE_URL'
  /** Says for people what applies when it is left out. */
  readonly defaultText: string
  readonly meaning: string
  /** Shown masked, and never logged. */
  readonly secret?: true
}

function settingsOfProvider(
  provider: Pick<Provider, 'name' | 'addresses'> & Partial<Pick<Provider, 'application'>>,
): SettingDefinition[] {
  const { addresses, application } = provider
  return [
    ...addresses.map((address) => ({
      name: settingOf(provider, address),
      defaultText: address.default === '' ? 'not set up' : address.default,
      meaning: address.meaning,
    })),
    ...(application?.fields ?? []).map((field) => ({
      name: settingOf(provider, field),
      defaultText: 'not set up',
      meaning: field.meaning,
      ...(isSecret(field) && { secret: true as const }),
    })),
  ]
}

/** Lists every setting, in the order in which people need them. */
export const settingTable: readonly SettingDefinition[] = [
  {
    name: 'SIGNALBOX_HOST',
    defaultText: '127.0.0.1',
    meaning: 'Address to listen on. `0.0.0.0` means all addresses.',
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
    name: 'SIGNALBOX_FLAGD_PORT',
    defaultText: 'off',
    meaning:
      'Port of flagd’s sync service (gRPC without TLS), usually 8015: flagd and in-process providers of OpenFeature follow flags there with a server key. 0 takes any free port.',
  },
  {
    name: 'SIGNALBOX_DELIVERY_PROCESSES',
    defaultText: '1',
    meaning:
      'Processes that share the ports of a delivery, which has no other role: a number, or `auto` for one per processor core. Each holds all snapshots in memory. Limits and metrics are those of all of them together. Needs Linux or FreeBSD.',
  },
  {
    name: 'SIGNALBOX_METRICS_PORT',
    defaultText: 'off',
    meaning:
      'Port of an address for operators with `/metrics`, `/healthz` and `/readyz` alone, whatever the roles are. Processes without the API serve their metrics only there. 0 takes any free port.',
  },
  {
    name: 'SIGNALBOX_PUBLIC_URL',
    defaultText: 'the API listener',
    meaning:
      'URL at which people and browsers reach the API, such as `https://signalbox.example.com`. Cookies and links depend on it. A worker without the role `api` needs it.',
  },
  {
    name: 'SIGNALBOX_CONFIG_URL',
    defaultText: 'the delivery listener',
    meaning:
      'URL at which applications reach configuration delivery. `signalbox run` passes it to programs in a variable of the same name, which clients read.',
  },
  {
    name: 'SIGNALBOX_DATA_DIR',
    defaultText: '.signalbox in the working directory',
    meaning:
      'Directory of the embedded database, the snapshot cache and the root key file. The server creates it with mode 0700, or 0711 when started by root, because PostgreSQL then runs as another user, who needs access to its part.',
  },
  {
    name: 'DATABASE_URL',
    defaultText: 'the embedded PostgreSQL',
    meaning:
      '`postgres://user:password@host:5432/database`, PostgreSQL 15 or newer. Separate several hosts with commas.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_POOL_URL',
    defaultText: 'none',
    meaning:
      '`postgres://user:password@host:6432/{role}`: a pooler in transaction mode, such as PgBouncer 1.21 or newer, with a database for each role of Signalbox. Migrations and notifications still go to `DATABASE_URL`.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_POSTGRES_BIN',
    defaultText: 'the packaged PostgreSQL, else the one of `PATH`',
    meaning:
      'Directory of the programs that run the embedded database, such as `/usr/lib/postgresql/18/bin`. Use it for a newer release of the same major version than the packaged one.',
  },
  {
    name: 'SIGNALBOX_ROLES',
    defaultText: 'api,worker,delivery',
    meaning:
      'Roles of this process. A process with only `delivery` serves reads without the database. `relay`, alone, has no database at all and is fed by another delivery or by a file.',
  },
  {
    name: 'SIGNALBOX_UPSTREAM_URL',
    defaultText: 'none',
    meaning:
      'Of a relay: the address of the delivery that feeds it, such as `https://config.example.com`.',
  },
  {
    name: 'SIGNALBOX_UPSTREAM_KEY',
    defaultText: 'none',
    meaning: 'Of a relay: the relay key, `sbx_rly_…`, which names the environments.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_UPSTREAM_PATH',
    defaultText: 'none',
    meaning:
      'Of a relay that no network reaches: the file that feeds it, which `signalbox replica export` has written. In place of the address and the key.',
  },
  {
    name: 'SIGNALBOX_PUBLISHER_KEYS',
    defaultText: 'none',
    meaning:
      'Of a relay, and of a delivery that NATS feeds: the public keys whose signatures it believes, separated by commas, as `signalbox publisher-keys` prints them.',
  },
  {
    name: 'SIGNALBOX_NATS_URL',
    defaultText: 'none',
    meaning:
      'Servers of NATS with JetStream, 2.10.23 or newer: `tls://nats.example.com:4222`, separated by commas. A process with the role `worker` publishes everything there, and a process with only `delivery` and without `DATABASE_URL` is fed from there. Only an address of this machine may be `nats://`, without TLS.',
  },
  {
    name: 'SIGNALBOX_NATS_BUCKET',
    defaultText: 'signalbox',
    meaning: 'Name of the bucket in NATS. Servers of Signalbox that share NATS need one each.',
  },
  {
    name: 'SIGNALBOX_NATS_GROUP',
    defaultText: 'all',
    meaning: 'Of a delivery that NATS feeds: the group whose organizations it holds.',
  },
  {
    name: 'SIGNALBOX_NATS_DOMAIN',
    defaultText: 'none',
    meaning:
      'JetStream domain of the servers that store, where the process reaches them through a leaf node. `signalbox nats-user` prints the permissions for it.',
  },
  {
    name: 'SIGNALBOX_NATS_GROUPS',
    defaultText: 'all, with every organization',
    meaning:
      'Of a worker: further groups with ids or slugs of organizations, such as `eu:acme+org_2,us:org_3`. The same in every worker.',
  },
  {
    name: 'SIGNALBOX_NATS_SEED',
    defaultText: 'none',
    meaning:
      'Seed of the nkey with which the process proves itself to NATS, `SU…`. Better in the file that `SIGNALBOX_NATS_SEED_FILE` names.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_NATS_CA',
    defaultText: 'the authorities of Node',
    meaning:
      'Certificates of the authorities that NATS’s certificate may be of, as PEM. Usually in the file that `SIGNALBOX_NATS_CA_FILE` names.',
  },
  {
    name: 'SIGNALBOX_DRAIN_SECONDS',
    defaultText: '5; 0 with the embedded database and on a terminal',
    meaning:
      'Pause between the signal to stop and the end of the listeners, from 0 to 300. `/readyz` answers 503 meanwhile and everything is served on, so that a load balancer sends its requests to other nodes before this one refuses any.',
  },
  {
    name: 'SIGNALBOX_ROOT_KEY',
    defaultText: 'generated into the data directory (embedded database only)',
    meaning:
      '32 bytes as base64url. Encrypts all secrets. During a rotation, two keys separated by a comma: first the next one, then the current one. Required with `DATABASE_URL` by all roles except `delivery`.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_ROOT_KEY_COMMAND',
    defaultText: 'none',
    meaning:
      'A program that prints the root key, with its arguments: it reads the key from a key service (KMS). In place of `SIGNALBOX_ROOT_KEY`. It runs at the start, without a shell: arguments are separated by spaces, and quotes have no meaning. It has 30 seconds.',
  },
  {
    name: 'SIGNALBOX_BOOTSTRAP_TOKEN',
    defaultText: 'off',
    meaning:
      'A token of at least 32 characters with the rights of an owner, for scripts that create organizations and keys.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_LOG_LEVEL',
    defaultText: 'info',
    meaning:
      '`debug`, `info`, `warn`, `error` or `silent`. `pretty` prints requests only at `debug`.',
  },
  {
    name: 'SIGNALBOX_LOG_FORMAT',
    defaultText: 'pretty on a terminal, else json',
    meaning:
      '`pretty`: short lines for people, without a line for each request. `json`: one object on each line.',
  },
  {
    name: 'SIGNALBOX_RATE_LIMITS',
    defaultText: 'the documented limits',
    meaning:
      '`off`, or overrides such as `delivery=200/400,write=50` (requests a second, then the burst).',
  },
  {
    name: 'SIGNALBOX_CAPACITY',
    defaultText: 'the documented capacities',
    meaning: 'Overrides of a node’s capacities, such as `streams=20000,bodyMiB=128`.',
  },
  {
    name: 'SIGNALBOX_PUBLISHED_MIB_PER_ORGANIZATION',
    defaultText: '64',
    meaning:
      'Limit for all current snapshots of one organization together. It protects the memory of every delivery node, which holds all of them, and the database, which holds the last twenty of each, from one server key.',
  },
  {
    name: 'SIGNALBOX_PUBLISHED_MIB',
    defaultText: '512',
    meaning:
      'The same limit for all organizations together. It protects the memory of the delivery nodes: give each about twice as much.',
  },
  {
    name: 'SIGNALBOX_ORGANIZATIONS_PER_PERSON',
    defaultText: '10',
    meaning:
      'Number of organizations that a person may own. Each organization has its own allowances, so this protects the server from a person who creates many. Operators are exempt.',
  },
  {
    name: 'SIGNALBOX_ORGANIZATIONS_CREATED_BY',
    defaultText: 'anyone',
    meaning:
      'Who creates organizations: `anyone` who can sign in, or `operators`, the owners of the first organization.',
  },
  {
    name: 'SIGNALBOX_KEEP_DEPLOYMENTS',
    defaultText: 'forever',
    meaning:
      'Days after which deployments are permanently deleted, with their commits, issues, messages and test runs: at least 30, or `forever`. What is live, what it is compared with, and what has not ended is kept. The same in every process.',
  },
  {
    name: 'SIGNALBOX_KEEP_TEST_RESULTS',
    defaultText: 'forever',
    meaning:
      'Days after which the results of single tests are deleted, at least 30, or `forever`. The test runs are kept with their counts. The same in every process.',
  },
  {
    name: 'SIGNALBOX_TRUSTED_PROXIES',
    defaultText: 'none',
    meaning:
      'Networks of proxies whose `X-Forwarded-For` the server trusts, such as `10.0.0.0/8`. Limits and the audit log use the address of the caller.',
  },
  {
    name: 'SIGNALBOX_EGRESS_ALLOW',
    defaultText: 'none',
    meaning:
      'Further private hosts, addresses and networks that calls to the providers may reach, each with a port or without: `files.internal:8443`. The hosts that other settings name are allowed anyway. Plain http is allowed there.',
  },
  {
    name: 'SIGNALBOX_EGRESS_ALLOW_MEMBERS',
    defaultText: 'none',
    meaning:
      'Private hosts, addresses and networks that calls to the addresses that people enter may reach: outgoing webhooks, the documents of assistants, issuers of service accounts. **Every member can send requests there.** Name a port.',
  },
  {
    name: 'SIGNALBOX_DNS_SERVERS',
    defaultText: 'those of the machine',
    meaning:
      'Addresses of the DNS servers that are asked for the records which verify e-mail domains, such as `10.0.0.2:53`. Name public ones if the DNS servers of the machine answer differently from those of the internet.',
  },
  {
    name: 'SIGNALBOX_OIDC_ISSUER',
    defaultText: 'not set up',
    meaning:
      'Issuer URL of the OpenID provider that people may sign in with. Register the callback URL `/sign-in/oidc/callback` of the public address there.',
  },
  {
    name: 'SIGNALBOX_OIDC_CLIENT_ID',
    defaultText: 'not set up',
    meaning: 'Client id of this server at the OpenID provider.',
  },
  {
    name: 'SIGNALBOX_OIDC_CLIENT_SECRET',
    defaultText: 'not set up',
    meaning: 'Client secret of this server at the OpenID provider.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_OIDC_NAME',
    defaultText: 'the host of the issuer',
    meaning: 'Name of the OpenID provider on the sign-in button.',
  },
  {
    name: 'SIGNALBOX_OIDC_SCOPE',
    defaultText: '`openid email profile`',
    meaning:
      'Scopes that a sign-in asks for, with spaces between. Some providers send groups only with a scope of their own, such as `groups`.',
  },
  {
    name: 'SIGNALBOX_OIDC_GROUPS_CLAIM',
    defaultText: '`groups`',
    meaning:
      'Claim of the ID token or of the user info that lists the groups of a person. Groups of the same name whose members come from the sign-in follow it at each sign-in.',
  },
  {
    name: 'SIGNALBOX_AUDIT_OTLP_URL',
    defaultText: 'off',
    meaning:
      'URL of a receiver of OTLP/HTTP (JSON), such as `http://otel-collector:4318/v1/logs`: every audit event of every organization is sent there at least once. The host may be private.',
  },
  {
    name: 'SIGNALBOX_AUDIT_OTLP_HEADERS',
    defaultText: 'none',
    meaning:
      'Headers of these requests, such as `authorization=Bearer%20…`: pairs separated by commas, with values in percent-encoding.',
    secret: true,
  },
  {
    name: 'SIGNALBOX_AUDIT_NDJSON',
    defaultText: 'off',
    meaning:
      '`stdout` writes every audit event as one line of JSON to standard output, at least once.',
  },
  ...addressed.flatMap(settingsOfProvider),
]

/** Lists the variables of the command line and of applications. The service ignores them: they may be set beside its own. */
export const clientVariables: readonly string[] = [
  'SIGNALBOX_URL',
  'SIGNALBOX_TOKEN',
  'SIGNALBOX_BROWSER_KEY',
  'SIGNALBOX_KEY_ID',
  'SIGNALBOX_IDENTITY_TOKEN',
  'SIGNALBOX_IDENTITY_TOKEN_FILE',
  'SIGNALBOX_ID_TOKEN',
  'SIGNALBOX_PROFILE',
  'SIGNALBOX_ORGANIZATION',
  'SIGNALBOX_ENVIRONMENT',
  'SIGNALBOX_SCHEMA',
  'SIGNALBOX_SCHEMA_ID',
  'SIGNALBOX_ENVIRONMENT_ID',
  'SIGNALBOX_SAFE_DIRECTORY',
  'SIGNALBOX_ALLOW_HTTP',
  'SIGNALBOX_PASSPHRASE',
  'SIGNALBOX_PASSPHRASE_FILE',
]
