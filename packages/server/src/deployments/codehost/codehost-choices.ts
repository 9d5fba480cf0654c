import type { CodehostSettings } from '../../integrations/settings-of-kind.ts'
import { subjectOfKind } from '../../providers/find-provider.ts'
import {
  describeUnknown,
  nameIds,
  requireKnownIds,
  type NamedId,
} from '../../http/input/known-ids.ts'

/** Describes what a person changes of a code host. Choices that are left out stay. */
export interface CodehostChoices {
  readonly repositories?: readonly { readonly id: string; readonly tracked: boolean }[] | undefined
  readonly environmentMap?: CodehostSettings['environmentMap'] | undefined
  readonly testWorkflows?: CodehostSettings['testWorkflows'] | undefined
  readonly keyWorkflows?: CodehostSettings['keyWorkflows'] | undefined
}

/** Holds the ids that choices may name. */
export interface KnownIds {
  readonly environmentIds: ReadonlySet<string>
  /** The provider's numbers. */
  readonly repositoryIds: ReadonlySet<string>
  /** Names the code host. */
  readonly provider: string
}

const describeUnknownRepository = (provider: string) =>
  `${subjectOfKind('codehost', provider)} shows no repository with this number. If it is new, start a sync.`

/**
 * Checks that all environments and repositories of the choices are there.
 *
 * @throws {Problem} `validation_failed` with a pointer to each.
 */
export function checkReferences(choices: CodehostChoices, known: KnownIds): void {
  requireKnownIds(
    {
      named: namedEnvironments(choices),
      known: known.environmentIds,
      detail: describeUnknown('environment'),
    },
    {
      named: namedRepositories(choices),
      known: known.repositoryIds,
      detail: describeUnknownRepository(known.provider),
    },
  )
}

function namedEnvironments({
  environmentMap = [],
  testWorkflows = [],
}: CodehostChoices): NamedId[] {
  return [
    ...environmentMap.map(({ environmentId: id }, at) => ({
      path: ['environmentMap', at, 'environmentId'],
      id,
    })),
    ...testWorkflows.flatMap(({ environmentIds }, at) =>
      nameIds(['testWorkflows', at, 'environmentIds'], environmentIds),
    ),
  ]
}

function namedRepositories({
  repositories = [],
  environmentMap = [],
  testWorkflows = [],
  keyWorkflows,
}: CodehostChoices): NamedId[] {
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
    ...(keyWorkflows ?? []).map(({ repositoryId: id }, at) => ({
      path: ['keyWorkflows', at, 'repositoryId'],
      id,
    })),
  ]
}
