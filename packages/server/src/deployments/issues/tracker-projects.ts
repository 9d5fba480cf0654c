import type { RestrictedCaller } from '../../audit/caller.ts'
import { nearestName, Problem } from '@signalbox/contract'
import { askProvider } from '../../integrations/grants/ask-provider.ts'
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
  const { trackedProjects } = await deps.store.transaction(scope, (tx) =>
    readDeploymentSettings(tx, orgId),
  )
  const { projects, nextPage } = await askProvider(deps, () =>
    tracker.listProjects({ query, page: after?.page, limit }),
  )
  return {
    projects: projects.map(({ key, name }) => ({
      key,
      name,
      tracked: trackedProjects?.has(key) ?? true,
    })),
    next: nextPage === undefined ? undefined : { siteId, query: query ?? '', page: nextPage },
  }
}

const pageLimit = 100
/** Ten thousand projects: more than the site of a tracker is meant to have. */
const pagesMax = 100

/**
 * Refuses keys of projects that the site does not show, each with the one that may be meant.
 *
 * @throws {Problem} `validation_failed`, `integration_not_connected`, `reauth_required`, `provider_error`
 */
export async function requireProjects(
  deps: Pick<TrackerDeps, 'openTracker' | 'now'>,
  orgId: string,
  keys: readonly string[],
): Promise<void> {
  const tracker = await deps.openTracker(orgId)
  const known = await askProvider(deps, () => readProjectKeys(tracker, keys))
  const errors = keys.flatMap((key, at) =>
    known.has(key)
      ? []
      : [
          {
            pointer: `/projectKeys/${at}`,
            code: 'validation_failed' as const,
            detail: explain(key, known),
          },
        ],
  )
  if (errors.length === 0) return
  const detail = 'This integration sees no such project on the site.'
  throw new Problem('validation_failed', detail, { errors })
}

function explain(key: string, known: ReadonlySet<string>): string {
  const nearest = nearestName(key, known)
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return `This integration sees no such project on the site.${suggestion}`
}

/** The keys of projects, until all that are wanted are among them. */
async function readProjectKeys(
  tracker: TrackerApi,
  requiredKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  let page: string | undefined
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const listed = await tracker.listProjects({ query: undefined, page, limit: pageLimit })
    for (const { key } of listed.projects) known.add(key)
    page = listed.nextPage
    if (page === undefined || requiredKeys.every((key) => known.has(key))) break
  }
  return known
}
