import type { RestrictedCaller } from '../../audit/caller.ts'
import { nearestName, Problem } from '@signalbox/contract'
import { askProvider } from '../../integrations/grants/ask-provider.ts'
import type { Integration } from '../../integrations/integration.ts'
import { grammarOf } from '../../providers/issue-keys/issue-grammars.ts'
import type { TrackerApi, TrackerProject } from '../../providers/tracker.ts'
import { readDeploymentSettings } from '../codehost/integration-settings.ts'
import type { TrackerDeps } from './tracker-deps.ts'

/** Describes a page of projects. */
export interface ListProjects {
  readonly query: string | undefined
  readonly limit: number
  /** `undefined`: the first page. */
  readonly after: ProjectPosition | undefined
}

/** Describes where a page begins. It means nothing in another list. */
export interface ProjectPosition {
  readonly siteId: string
  readonly query: string
  readonly page: string
}

/** Holds the projects of a page, and where the next one begins. */
export interface ProjectPage {
  readonly projects: readonly (TrackerProject & { readonly tracked: boolean })[]
  readonly next: ProjectPosition | undefined
}

/**
 * Lists the projects of the site that this integration may see.
 *
 * @throws {Problem} `invalid_cursor`, `integration_not_connected`, `reauth_required`, `provider_error`
 */
export async function listTrackerProjects(
  deps: TrackerDeps,
  { orgId, scope }: RestrictedCaller,
  { query, limit, after }: ListProjects,
): Promise<ProjectPage> {
  const tracker = await deps.openTracker(orgId)
  const { siteId } = tracker
  if (after !== undefined && (after.siteId !== siteId || after.query !== (query ?? ''))) {
    throw new Problem(
      'invalid_cursor',
      'The cursor belongs to another list. Start again without it.',
    )
  }
  const { keys } = await deps.store.transaction(scope, (tx) => readDeploymentSettings(tx, orgId))
  const { projects, nextPage } = await askProvider(deps, () =>
    tracker.listProjects({ query, page: after?.page, limit }),
  )
  return {
    projects: projects.map(({ key, name }) => ({
      key,
      name,
      tracked: keys.tracked?.has(keys.grammar.toContainer(key)) ?? true,
    })),
    next: nextPage === undefined ? undefined : { siteId, query: query ?? '', page: nextPage },
  }
}

const pageLimit = 100
/** Ten thousand projects: more than the site of a tracker is meant to have. */
const pagesMax = 100

/**
 * Returns the keys of projects as the site writes them. Refuses those that it does not show, each with the one that may be meant.
 *
 * @throws {Problem} `validation_failed`, `integration_not_connected`, `reauth_required`, `provider_error`
 */
export async function requireProjects(
  deps: Pick<TrackerDeps, 'openTracker' | 'now'>,
  { orgId, provider }: Pick<Integration, 'orgId' | 'provider'>,
  keys: readonly string[],
): Promise<readonly string[]> {
  const grammar = grammarOf(provider)
  const toContainer = (name: string) => grammar.toContainer(name)
  const tracker = await deps.openTracker(orgId)
  const required = keys.map((key) => toContainer(key))
  const known = await askProvider(deps, () => readProjectKeys(tracker, required, toContainer))
  const errors = keys.flatMap((key, at) =>
    known.has(toContainer(key))
      ? []
      : [
          {
            pointer: `/projectKeys/${at}`,
            code: 'validation_failed' as const,
            detail: explain(key, new Set(known.values())),
          },
        ],
  )
  if (errors.length === 0) return required.flatMap((key) => known.get(key) ?? [])
  const detail = 'This integration sees no such project.'
  throw new Problem('validation_failed', detail, { errors })
}

function explain(key: string, known: ReadonlySet<string>): string {
  const nearest = nearestName(key, known)
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return `This integration sees no such project.${suggestion}`
}

/** Returns the keys of projects by their stored form, until all that are required are among them. */
async function readProjectKeys(
  tracker: TrackerApi,
  requiredKeys: readonly string[],
  toContainer: (name: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>()
  let page: string | undefined
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const listed = await tracker.listProjects({ query: undefined, page, limit: pageLimit })
    for (const { key } of listed.projects) known.set(toContainer(key), key)
    page = listed.nextPage
    if (page === undefined || requiredKeys.every((key) => known.has(key))) break
  }
  return known
}
