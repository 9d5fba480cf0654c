import type { environmentEndpoints, ResponseOf } from '@signalbox/contract/rest'
import type { EnvironmentRow } from './environment-rows.ts'

/** Returns an environment as the API describes it. */
export function presentEnvironment(
  row: EnvironmentRow,
): ResponseOf<typeof environmentEndpoints.getEnvironment> {
  const { source, archivedAt, inheritedSecrets: _secrets, isArchived: _isArchived, ...fields } = row
  return {
    ...fields,
    kind: source === null ? 'standard' : 'preview',
    source: source && {
      repository: source.repository,
      pullRequest: source.pullRequest,
      hostEnvironment: source.hostEnvironment,
    },
    archivedAt: archivedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
