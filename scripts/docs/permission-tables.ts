import type { ProviderContext } from '../../packages/server/src/providers/context.ts'
import { listCapabilities } from '../../packages/server/src/providers/capability.ts'
import {
  applicationOwnerOf,
  findProvider,
} from '../../packages/server/src/providers/find-provider.ts'
import type { Provider } from '../../packages/server/src/providers/provider.ts'
import { providers } from '../../packages/server/src/providers/registry.ts'
import { table } from './markdown.ts'

/** Stands around a table in a page of the guide. Without names it is one of all providers. */
const marked = /^<!-- permissions( [a-z -]+)? -->\n[\s\S]*?^<!-- end -->$/gm

/** Describes one permission: what works with it, and what does not work without it. */
interface Permission {
  readonly name: string
  readonly titles: readonly string[]
  readonly costs: readonly string[]
}

/** Writes the tables of permissions into a page, between its marks. They follow from the descriptors of the providers. */
export function fillPermissionTables(text: string): string {
  return text.replace(marked, (_whole, names: string | undefined) => {
    const content = names === undefined ? tableOfAll() : tableOf(names.trim().split(' '))
    return `<!-- permissions${names ?? ''} -->\n${content}\n<!-- end -->`
  })
}

/** Lists the providers that grant permissions, each by the name that a mark has. */
export function listMarkedProviders(): string[] {
  return providers.filter((one) => listPermissions(one).length > 0).map(({ name }) => name)
}

function tableOfAll(): string {
  const rows = providers.flatMap((provider) =>
    Object.entries(wantedScopesOf(provider)).map(([scope, cost]) => [
      provider.displayName,
      `\`${scope}\``,
      cost,
    ]),
  )
  return table(['Provider', 'Permission', 'Without it'], rows)
}

function tableOf(names: readonly string[]): string {
  const merged = new Map<string, Permission>()
  for (const permission of names.flatMap((name) => listPermissions(getProvider(name)))) {
    const before = merged.get(permission.name)
    merged.set(permission.name, {
      name: permission.name,
      titles: union(before?.titles, permission.titles),
      costs: union(before?.costs, permission.costs),
    })
  }
  const permissions = [...merged.values()]
  // A column with gaps would say that a permission is for nothing.
  const hasTitles = permissions.every(({ titles }) => titles.length > 0)
  const rows = permissions.map(({ name, titles, costs }) => [
    `\`${name}\``,
    ...(hasTitles ? [joinTitles(titles)] : []),
    costs.join(' '),
  ])
  const head = ['Permission', ...(hasTitles ? ['What works with it'] : []), 'Without it']
  return table(head, rows)
}

/** Joins titles as one sentence: only the first begins with a capital letter. */
const joinTitles = ([first = '', ...others]: readonly string[]) =>
  [first, ...others.map((title) => title.charAt(0).toLowerCase() + title.slice(1))].join(', ')

const union = (some: readonly string[] = [], more: readonly string[] = []) => [
  ...new Set([...some, ...more]),
]

function getProvider(name: string): Provider {
  const provider = findProvider(name)
  if (provider === undefined) throw new Error(`No provider is named ${name}`)
  return provider
}

/** Lists what a provider asks for, and what its capabilities and its levels need besides. */
function listPermissions(provider: Provider): Permission[] {
  const wanted = wantedScopesOf(provider)
  const needed = Object.values(provider.capabilities ?? {}).flatMap((terms) =>
    typeof terms === 'object' && 'needs' in terms ? terms.needs : [],
  )
  const all = [...new Set([...Object.keys(wanted), ...needed, ...(provider.levels?.full ?? [])])]
  return all.map((name) => {
    const lost = findLost(provider, all, name)
    const cost = wanted[name]
    const costs = cost === undefined ? union(lost.map(({ detail }) => detail)) : [cost]
    return { name, titles: lost.map(({ title }) => title), costs }
  })
}

/** Returns what works with all permissions, and does not without one of them. */
function findLost(provider: Provider, all: readonly string[], without: string) {
  const working = new Set(
    listCapabilities(provider, all).flatMap(({ name, works }) => (works ? [name] : [])),
  )
  const rest = all.filter((each) => each !== without)
  return listCapabilities(provider, rest).filter(({ name, works }) => !works && working.has(name))
}

function wantedScopesOf(provider: Provider): Readonly<Record<string, string>> {
  // A provider that shares a connection is opened with the addresses and the application of the other one.
  const { addresses, application } = findProvider(applicationOwnerOf(provider.name)) ?? provider
  const context: ProviderContext = {
    addresses: Object.fromEntries(addresses.map((each) => [each.name, each.default])),
    application: () => undefined,
    egress: { fetch, request: () => Promise.reject(new Error('Nothing is asked here')) },
    now: () => new Date(0),
  }
  const values = Object.fromEntries(application.fields.map(({ name }) => [name, 'a']))
  return provider.openConnector(context, { values, webhookSecrets: [] }).wantedScopes
}
