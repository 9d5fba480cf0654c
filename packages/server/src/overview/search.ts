import { pageIds, pages, toHref, type PageRef } from '@signalbox/contract'
import type { IntegrationKind, SearchResult } from '@signalbox/contract/rest'
import { toIssueKey } from '../providers/issue-keys/issue-grammars.ts'
import { providers } from '../providers/registry.ts'
import type { Scope } from '../store/scope.ts'
import type { Store, Tx } from '../store/store.ts'
import { integrationPage } from './dashboard-steps.ts'
import type { KeyNames } from './key-names.ts'
import {
  findDeploymentsByBranch,
  findDeploymentsByIssue,
  findDeploymentsBySha,
  findNamed,
  type DeploymentHit,
  type NamedHit,
} from '../read-models/overview/search-rows.ts'

const resultsMax = 20

const shaPattern = /^[0-9a-f]{4,64}$/i

/**
 * Searches an organization, the likeliest results first: pages, what has that name, keys, deployments of a commit, issue or
 * branch. Each kind is one statement that ends after eight rows; the names, owners and tags of keys are in memory.
 */
export async function search(
  {
    store,
    keyNames,
  }: {
    readonly store: Pick<Store, 'transaction'>
    readonly keyNames: KeyNames
  },
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
    ...named.map((hit) => ({ ...hit, ...timeless, href: hrefOf(hit) })),
    ...keys.map(({ schemaId, schema, key, tier, note }) => ({
      kind: 'key' as const,
      id: schemaId,
      title: key,
      detail: [tier === 'featureFlags' ? `flag of ${schema}` : `${tier} key of ${schema}`, note]
        .filter((part) => part !== undefined)
        .join(' · '),
      ...timeless,
      href: toHref({
        page: tier === 'featureFlags' ? 'flags' : 'config',
        search: { schema: schemaId, filter: key },
      }),
    })),
    ...deployments.map(presentDeployment),
  ].slice(0, resultsMax)
}

async function findDeployments(tx: Tx, orgId: string, text: string): Promise<DeploymentHit[]> {
  const issueKey = toIssueKey(text)
  const hits = await Promise.all([
    shaPattern.test(text) ? findDeploymentsBySha(tx, orgId, text.toLowerCase()) : [],
    issueKey === undefined ? [] : findDeploymentsByIssue(tx, orgId, issueKey),
    findDeploymentsByBranch(tx, orgId, text),
  ])
  return [...new Map(hits.flat().map((each) => [each.id, each])).values()]
}

/** Holds the state and the time of a result that has none. */
const timeless = { state: null, at: null } as const

function presentDeployment(hit: DeploymentHit): SearchResult {
  const { id, message, sha, ref, hostEnvironment, repository, state, at } = hit
  const short = sha.slice(0, 7)
  const [line = ''] = (message ?? '').trim().split('\n', 1)
  return {
    kind: 'deployment',
    id,
    title: line.trim() === '' ? `Commit ${short}` : line.trim(),
    detail: `${short} · ${ref} → ${hostEnvironment} · ${repository}`,
    state,
    at: at.toISOString(),
    href: toHref({ page: 'deployment', params: { deploymentId: id } }),
  }
}

function hrefOf({ kind, id }: Pick<NamedHit, 'kind' | 'id'>): string {
  if (kind === 'environment') return toHref({ page: 'environments', search: { environment: id } })
  if (kind === 'segment') return toHref({ page: 'segments', search: { segment: id } })
  if (kind === 'request') return toHref({ page: 'request', params: { requestId: id } })
  return kind === 'schema'
    ? toHref({ page: 'schemas', search: { schema: id } })
    : toHref({ page: 'members', search: { member: id } })
}

interface NamedPage {
  readonly title: string
  readonly ref: PageRef
  /** Holds further words that find the page. */
  readonly keywords: string
}

const integrationKeywords: Readonly<Record<IntegrationKind, string>> = {
  codehost: 'code host repositories workflows',
  tracker: 'issue tracker projects',
  chat: 'chat channel',
}

const integrationPages: readonly NamedPage[] = providers.map(({ kind, displayName }) => ({
  title: displayName,
  ref: integrationPage(kind),
  keywords: integrationKeywords[kind],
}))

const namedPages: readonly NamedPage[] = pageIds.flatMap((page) => {
  if (page === 'integration') return integrationPages
  const { title, ...about } = pages[page]
  return 'keywords' in about ? [{ title, ref: { page }, keywords: about.keywords }] : []
})

function findPages(text: string): SearchResult[] {
  const prefix = text.toLowerCase()
  return namedPages
    .filter(({ title, keywords }) =>
      [...title.toLowerCase().split(' '), ...keywords.split(' '), title.toLowerCase()].some(
        (word) => word.startsWith(prefix),
      ),
    )
    .slice(0, 5)
    .map(({ title, ref }) => {
      const href = toHref(ref)
      return { kind: 'page', id: href, title, detail: null, ...timeless, href }
    })
}
