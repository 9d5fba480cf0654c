import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import { chooseByName, type Api } from '../../api/api.ts'
import type { ApiKey } from '../../api/operations.ts'
import { askToDelete, carryOut } from '../../changes/resource-commands.ts'
import { textFlag, type CliContext } from '../../cli-context.ts'
import { isRecord, parseJsonObject } from '../../project/json.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'

type ServiceAccount = NonNullable<ApiKey['serviceAccounts']>[number]

type AccountFlags = {
  readonly [NAME in 'issuer' | 'namespace' | 'name']?: string | undefined
}

const keyArgument = { brief: 'Name or id of the API key', placeholder: 'key' } as const
const accountFlags = {
  issuer: textFlag('address', 'Issuer of the cluster, as the tokens of its pods name it'),
  namespace: textFlag('name', 'Namespace of the service account'),
  name: textFlag('name', 'Name of the service account'),
} as const

const list = defineCommand({
  brief: 'List the service accounts of a key, or of all keys',
  about: 'Lists the Kubernetes service accounts whose pods can use an API key without its secret.',
  examples: ['signalbox service-accounts', 'signalbox service-accounts list web'],
  args: [{ ...keyArgument, optional: true }],
  run: async (session, _flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const keys =
      reference === undefined
        ? await api.apiKeys(organization.id)
        : [await findKey(api, organization.id, reference)]
    const { output } = session
    const accounts = keys.flatMap(({ id, name, serviceAccounts }) =>
      (serviceAccounts ?? []).map((account) => ({ keyId: id, keyName: name, ...account })),
    )
    output.document({ serviceAccounts: accounts })
    const rows = accounts.map(({ keyName, namespace, name, issuer, keys: jwks }) => [
      output.styles.bold(printable(keyName)),
      `${namespace}/${name}`,
      printable(issuer),
      jwks === null ? 'keys read at the issuer' : 'keys pasted',
    ])
    output.data(
      rows.length === 0
        ? 'No API key accepts a service account. Add one: signalbox service-accounts add <key> --issuer <address> --namespace <name> --name <name>'
        : renderTable(rows),
    )
  },
})

const add = defineCommand({
  brief: 'Let a service account use a key',
  about:
    'Pins a service account to an API key: its pods exchange their own token for an access token of the key. An account that the key has already gets the new public keys.',
  examples: [
    'signalbox service-accounts add web --issuer https://oidc.example.com/id/1 --namespace shop --name web',
    'signalbox service-accounts add web --issuer https://kubernetes.default.svc.cluster.local --namespace shop --name web --keys jwks.json',
  ],
  flags: {
    ...accountFlags,
    keys: textFlag('path', 'Public keys of the cluster, if the server cannot reach the issuer'),
  },
  args: [keyArgument],
  run: async (session, flags, reference) => {
    const account = requireAccount(flags)
    const keys = flags.keys === undefined ? null : await readKeys(session, flags.keys)
    const { api, organization } = await openOrganization(session)
    const key = await findKey(api, organization.id, reference)
    const others = (key.serviceAccounts ?? []).filter((each) => !matches(each, account))
    const use = `use the key ${printable(key.name)}`
    await carryOut(session, {
      would: `let ${describeAccount(account)} ${use}`,
      plan: { keyId: key.id, serviceAccount: account },
      send: () => save(api, organization.id, key, [...others, { ...account, keys }]),
      done: ({ serviceAccounts }) => [
        `${describeAccount(account)} can ${use}.`,
        { keyId: key.id, serviceAccounts },
      ],
    })
  },
})

const remove = defineCommand({
  brief: 'Take a service account from a key',
  about:
    'Takes every service account from the key that has all of the given issuer, namespace and name.',
  examples: ['signalbox service-accounts remove web --namespace shop --name web --yes'],
  flags: accountFlags,
  args: [keyArgument],
  run: async (session, flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const key = await findKey(api, organization.id, reference)
    const accounts = key.serviceAccounts ?? []
    const chosen = accounts.filter((account) => matches(account, flags))
    if (chosen.length === 0) {
      const why = 'The key accepts no such service account.'
      throw new CliError('failure', 'account_not_found', why, {
        advice: `signalbox service-accounts list ${JSON.stringify(reference)}`,
      })
    }
    const names = chosen.map(describeAccount).join(', ')
    const remaining = accounts.filter((account) => !chosen.includes(account))
    const from = `from the key ${printable(key.name)}`
    await carryOut(session, {
      would: `take ${names} ${from}`,
      plan: { keyId: key.id, serviceAccounts: chosen },
      ask: askToDelete(key.name, `Take ${names} from the key ${key.name}?`),
      send: () => save(api, organization.id, key, remaining),
      done: ({ serviceAccounts }) => [
        `Took ${names} ${from}. Access tokens that it has end within 15 minutes.`,
        { keyId: key.id, serviceAccounts },
      ],
    })
  },
})

function findKey(api: Api, orgId: string, ref: string): Promise<ApiKey> {
  return api.apiKeys(orgId).then((keys) =>
    chooseByName(keys, ref, {
      noun: 'API key',
      code: 'key_not_found',
      create: 'Create a server key in the dashboard, under API keys.',
    }),
  )
}

function requireAccount({ issuer, namespace, name }: AccountFlags) {
  if (issuer !== undefined && namespace !== undefined && name !== undefined) {
    return { issuer, namespace, name }
  }
  throw new CliError('usage', 'account_required', 'Use --issuer, --namespace and --name.', {
    advice: 'The issuer of a cluster: kubectl get --raw /.well-known/openid-configuration',
  })
}

function matches(account: ServiceAccount, flags: AccountFlags): boolean {
  return (['issuer', 'namespace', 'name'] as const).every(
    (field) => flags[field] === undefined || flags[field] === account[field],
  )
}

function describeAccount({ namespace, name }: Pick<ServiceAccount, 'namespace' | 'name'>): string {
  return printable(`${namespace}/${name}`)
}

async function readKeys({ cwd }: Session, file: string): Promise<ServiceAccount['keys']> {
  const path = resolve(cwd, file)
  const keys = parseJsonObject(await readFile(path, 'utf8'))?.['keys']
  if (Array.isArray(keys) && keys.every(isRecord)) return { keys }
  throw new CliError('usage', 'invalid_keys', `${path} is no set of public keys.`, {
    advice: `kubectl get --raw /openid/v1/jwks > ${file}`,
  })
}

function save(
  api: Api,
  orgId: string,
  { id, revision }: ApiKey,
  serviceAccounts: readonly ServiceAccount[],
): Promise<ApiKey> {
  return api.call('updateApiKey', {
    params: { org_id: orgId, key_id: id },
    // The list was made of the one that was read, so another change in between is refused.
    ifMatch: revision,
    body: { serviceAccounts: serviceAccounts.length === 0 ? null : [...serviceAccounts] },
  })
}

/** Defines `signalbox service-accounts`, whose default is the list. */
export const serviceAccountsRoutes = buildRouteMap<'list' | 'add' | 'remove', CliContext>({
  routes: { list, add, remove },
  defaultCommand: 'list',
  docs: { brief: briefs['service-accounts'] },
})
