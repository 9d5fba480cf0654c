import type { AnswerOf } from '../../api/routes.ts'

type Previewed = AnswerOf<'POST /organizations/{org_id}/config-versions/restore'>

/**
 * Returns the versions to restore, or of them the keys alone. With the answer of the preview it is refused where somebody has
 * saved since: nothing is overwritten that the person has not seen.
 */
export function toRestores(
  versionIds: readonly string[],
  keys: readonly string[] | undefined,
  previewed?: {
    readonly environments: readonly Pick<Previewed['environments'][number], 'currentVersion'>[]
  },
) {
  return versionIds.map((versionId, index) => {
    const expectedVersion = previewed?.environments[index]?.currentVersion
    return {
      versionId,
      ...(keys && { keys: [...keys] }),
      ...(expectedVersion !== undefined && { expectedVersion }),
    }
  })
}
