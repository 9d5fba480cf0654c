import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buildCommand, buildRouteMap } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { chooseByName, type Api } from '../../api/api.ts'
import type { ApiKey } from '../../api/operations.ts'
import { confirmChange } from '../../changes/confirm.ts'
import { globalFlags, textFlag, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import { isRecord, parseJsonObject } from '../../project/json.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'

type ServiceAccount = NonNullable<ApiKey['serviceAccounts']>[number]

type AccountFlags = GlobalFlags & {
  readonly issuer?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}
type AddFlags = AccountFlags & { readonly keys?: string | undefined }

async function listAccounts(session: Session, _flags: GlobalFlags, ref?: string): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const keys =
    ref === undefined
      ? await api.apiKeys(organization.id)
      : [await findKey(api, organization.id, ref)]
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
}

async function addAccount(session: Session, flags: AddFlags, ref: string): Promise<void> {
  const account = requireAccount(flags)
  const keys = flags.keys === undefined ? null : await readKeys(session, flags.keys)
  const { api, organization } = await openOrganization(session)
  const key = await findKey(api, organization.id, ref)
  const { output } = session
  if (flags.dryRun) {
    output.document({ dryRun: true, keyId: key.id, serviceAccount: account })
    output.result(`Would let ${describeAccount(account)} use the key ${printable(key.name)}.`)
    return
  }
  const others = (key.serviceAccounts ?? []).filter((each) => !isSame(each, account))
  const updated = await save(api, organization.id, key, [...others, { ...account, keys }])
  output.document({ keyId: key.id, serviceAccounts: updated.serviceAccounts })
  output.result(
    `${output.styles.green('✓')} ${describeAccount(account)} can use the key ${printable(key.name)}.`,
  )
}

async function removeAccount(session: Session, flags: AccountFlags, ref: string): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const key = await findKey(api, organization.id, ref)
  const accounts = key.serviceAccounts ?? []
  const chosen = accounts.filter((account) => matches(account, flags))
  const { output } = session
  if (chosen.length === 0) {
    throw new CliError('failure', 'account_not_found', 'The key accepts no such service account.', {
      advice: `signalbox service-accounts list ${JSON.stringify(ref)}`,
    })
  }
  const names = chosen.map(describeAccount).join(', ')
  if (flags.dryRun) {
    output.document({ dryRun: true, keyId: key.id, serviceAccounts: chosen })
    output.result(`Would take ${names} from the key ${printable(key.name)}.`)
    return
  }
  await confirmChange(session, {
    environment: { name: key.name, production: false },
    question: `Take ${names} from the key ${key.name}?`,
    elsewhere: 'always',
  })
  const remaining = accounts.filter((account) => !chosen.includes(account))
  const updated = await save(api, organization.id, key, remaining)
  output.document({ keyId: key.id, serviceAccounts: updated.serviceAccounts })
  output.result(
    `${output.styles.green('✓')} Took ${names} from the key ${printable(key.name)}. Access tokens that it has end within 15 minutes.`,
  )
}

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

function isSame(one: ServiceAccount, other: Pick<ServiceAccount, 'issuer' | 'namespace' | 'name'>) {
  return matches(one, other)
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

const keyParameter = {
  brief: 'Name or id of the API key',
  parse: (text: string) => text,
  placeholder: 'key',
} as const
const accountFlags = {
  ...globalFlags,
  issuer: textFlag('address', 'Issuer of the cluster, as the tokens of its pods name it'),
  namespace: textFlag('name', 'Namespace of the service account'),
  name: textFlag('name', 'Name of the service account'),
} as const

const list = buildCommand<GlobalFlags, [string?], CliContext>({
  func: action(listAccounts),
  parameters: {
    flags: globalFlags,
    positional: { kind: 'tuple', parameters: [{ ...keyParameter, optional: true }] },
  },
  docs: {
    brief: 'List the service accounts of a key, or of all keys',
    fullDescription: describe(
      'Lists the Kubernetes service accounts whose pods can use an API key without its secret.',
      ['signalbox service-accounts', 'signalbox service-accounts list web'],
    ),
  },
})

const add = buildCommand<AddFlags, [string], CliContext>({
  func: action(addAccount),
  parameters: {
    flags: {
      ...accountFlags,
      keys: textFlag('path', 'Public keys of the cluster, if the server cannot reach the issuer'),
    },
    positional: { kind: 'tuple', parameters: [keyParameter] },
  },
  docs: {
    brief: 'Let a service account use a key',
    fullDescription: describe(
      'Pins a service account to an API key: its pods exchange their own token for an access token of the key. An account that the key has already gets the new public keys.',
      [
        'signalbox service-accounts add web --issuer https://oidc.example.com/id/1 --namespace shop --name web',
        'signalbox service-accounts add web --issuer https://kubernetes.default.svc.cluster.local --namespace shop --name web --keys jwks.json',
      ],
    ),
  },
})

const remove = buildCommand<AccountFlags, [string], CliContext>({
  func: action(removeAccount),
  parameters: {
    flags: accountFlags,
    positional: { kind: 'tuple', parameters: [keyParameter] },
  },
  docs: {
    brief: 'Take a service account from a key',
    fullDescription: describe(
      'Takes every service account from the key that has all of the given issuer, namespace and name.',
      ['signalbox service-accounts remove web --namespace shop --name web --yes'],
    ),
  },
})

/** Defines `signalbox service-accounts`, whose default is the list. */
export const serviceAccountsRoutes = buildRouteMap<'list' | 'add' | 'remove', CliContext>({
  routes: { list, add, remove },
  defaultCommand: 'list',
  docs: { brief: 'List, add and remove Kubernetes service accounts of keys' },
})
