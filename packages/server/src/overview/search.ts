import type { SearchResult } from '@signalbox/contract/rest'
import type { Scope } from '../store/scope.ts'
import type { Store, Tx } from '../store/store.ts'
import { pages } from './dashboard-steps.ts'
import type { KeyNames } from './key-names.ts'
import {
  findDeploymentsByBranch,
  findDeploymentsByIssue,
  findDeploymentsBySha,
  findNamed,
  type Found,
} from './search-rows.ts'

const resultsMax = 20

export interface SearchDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly keyNames: KeyNames
}

const shaPattern = /^[0-9a-f]{4,64}$/i
const issueKeyPattern = /^[a-z][a-z0-9_]+-\d+$/i

/**
 * What a text may mean, the likeliest first: pages, what is called so, keys, deployments of a commit, issue or branch. Each
 * kind is one statement that ends after eight; the names of keys are in memory.
 */
export async function search(
  { store, keyNames }: SearchDeps,
  scope: Scope,
  { orgId, text }: { readonly orgId: string; readonly text: string },
): Promise<SearchResult[]> {
  const [named, keys, deployments] = await store.transaction(scope, (tx) =>
    Promise.all([
      findNamed(tx, orgId, text),
      keyNames.find(tx, orgId, text),
      findDeployments(tx, orgId, text),
    ]),
  )
  return [
    ...findPages(text),
    ...named.map((found) => ({ ...found, href: hrefOf(found) })),
    ...keys.map(({ schemaId, schema, key, tier }) => ({
      kind: 'key' as const,
      id: schemaId,
      title: key,
      detail: tier === 'featureFlags' ? `flag of ${schema}` : `${tier} key of ${schema}`,
      href: `/${tier === 'featureFlags' ? 'flags' : 'config'}?schema=${schemaId}&filter=${encodeURIComponent(key)}`,
    })),
    ...deployments.map((found) => ({
      kind: 'deployment' as const,
      ...found,
      href: pages.deployment(found.id),
    })),
  ].slice(0, resultsMax)
}

async function findDeployments(tx: Tx, orgId: string, text: string): Promise<Found[]> {
  const found = await Promise.all([
    shaPattern.test(text) ? findDeploymentsBySha(tx, orgId, text.toLowerCase()) : [],
    issueKeyPattern.test(text) ? findDeploymentsByIssue(tx, orgId, text.toUpperCase()) : [],
    findDeploymentsByBranch(tx, orgId, text),
  ])
  return [...new Map(found.flat().map((each) => [each.id, each])).values()]
}

function hrefOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  if (kind === 'environment') return `/environments?environment=${id}`
  return kind === 'schema' ? `/schemas?schema=${id}` : `/members?member=${id}`
}

const known: readonly (readonly [title: string, href: string, words: string])[] = [
  ['Overview', '/', 'home front start'],
  ['Deployments', '/deployments', 'releases pushes'],
  ['Environments', '/environments', 'production staging'],
  ['Timeline', '/timeline', 'changes what changed activity join'],
  ['Configuration', '/config', 'values secrets matrix keys'],
  ['Flags', '/flags', 'feature toggles'],
  ['Schemas', '/schemas', 'definitions types'],
  ['History', '/history', 'versions restore changes'],
  ['Integrations', '/integrations', 'connect providers'],
  ['GitHub', pages.integration('codehost'), 'code host repositories workflows'],
  ['Jira', pages.integration('tracker'), 'issue tracker projects'],
  ['Slack', pages.integration('chat'), 'chat channel'],
  ['Notifications', '/notifications', 'routes messages'],
  ['Webhooks', '/webhooks', 'deliveries replay'],
  ['API keys', '/keys', 'tokens browser server'],
  ['Members', '/members', 'people roles invitations'],
  ['Audit log', '/audit', 'chain export who'],
  ['Settings', '/settings', 'organization delete dead jobs'],
]

function findPages(text: string): SearchResult[] {
  const asked = text.toLowerCase()
  return known
    .filter(([title, , words]) =>
      [...title.toLowerCase().split(' '), ...words.split(' '), title.toLowerCase()].some((word) =>
        word.startsWith(asked),
      ),
    )
    .slice(0, 5)
    .map(([title, href]) => ({ kind: 'page', id: href, title, detail: null, href }))
}
