import { Problem, type ProblemPlace } from '@signalbox/contract'
import type { CodehostSettings } from '../integrations/settings-of-kind.ts'
import { toJsonPointer } from '../http/json-pointer.ts'

/** What a person changes of a code host. What is left out stays. */
export interface CodehostChoices {
  readonly repositories?: readonly { readonly id: string; readonly tracked: boolean }[] | undefined
  readonly environmentMap?: CodehostSettings['environmentMap'] | undefined
  readonly testWorkflows?: CodehostSettings['testWorkflows'] | undefined
}

/** What choices may name. */
export interface KnownPlaces {
  readonly environmentIds: ReadonlySet<string>
  /** The provider's numbers. */
  readonly repositoryIds: ReadonlySet<string>
}

interface NamedPlace {
  readonly path: readonly PropertyKey[]
  readonly id: string | null | undefined
}

const unknownEnvironment = 'The organization has no environment with this id.'
const unknownRepository =
  'The code host shows no repository with this number. Start a sync if it is new there.'

/**
 * Refuses environments and repositories that are not there, all at once.
 *
 * @throws {Problem} `validation_failed` with a pointer to each.
 */
export function requireKnownPlaces(choices: CodehostChoices, known: KnownPlaces): void {
  const errors = [
    ...listUnknown(namedEnvironments(choices), known.environmentIds, unknownEnvironment),
    ...listUnknown(namedRepositories(choices), known.repositoryIds, unknownRepository),
  ]
  const [first] = errors
  if (first === undefined) return
  throw new Problem('validation_failed', first.detail, { errors })
}

function listUnknown(
  named: readonly NamedPlace[],
  known: ReadonlySet<string>,
  detail: string,
): ProblemPlace[] {
  return named.flatMap(({ path, id }) =>
    id === null || id === undefined || known.has(id)
      ? []
      : [{ pointer: toJsonPointer(path), code: 'validation_failed' as const, detail }],
  )
}

function namedEnvironments({
  environmentMap = [],
  testWorkflows = [],
}: CodehostChoices): NamedPlace[] {
  return [
    ...environmentMap.map(({ environmentId: id }, at) => ({
      path: ['environmentMap', at, 'environmentId'],
      id,
    })),
    ...testWorkflows.flatMap(({ environmentIds = [] }, at) =>
      environmentIds.map((id, index) => ({
        path: ['testWorkflows', at, 'environmentIds', index],
        id,
      })),
    ),
  ]
}

function namedRepositories({
  repositories = [],
  environmentMap = [],
  testWorkflows = [],
}: CodehostChoices): NamedPlace[] {
  return [
    ...repositories.map(({ id }, at) => ({ path: ['repositories', at, 'id'], id })),
    ...environmentMap.map(({ repositoryId: id }, at) => ({
      path: ['environmentMap', at, 'repositoryId'],
      id,
    })),
    ...testWorkflows.map(({ repositoryId: id }, at) => ({
      path: ['testWorkflows', at, 'repositoryId'],
      id,
    })),
  ]
}
