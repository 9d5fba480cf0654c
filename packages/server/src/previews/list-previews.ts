import { notFound } from '../http/answers/problem-response.ts'
import type { Caller, RestrictedCaller } from '../audit/caller.ts'
import {
  listEnvironmentRows,
  type EnvironmentRow,
} from '../configs/environments/environment-rows.ts'
import { lockEnvironments } from '../configs/environments/preview-environments.ts'
import { asPreviews } from './as-previews.ts'
import { deletePreview } from './change-preview.ts'
import type { PreviewDeps } from './preview-deps.ts'
import { listPreviewRows, type PreviewRow } from './preview-rows.ts'

/** Holds a preview with its environment. */
export interface WholePreview {
  readonly preview: PreviewRow
  readonly environment: EnvironmentRow
}

/** Lists previews before an id, newest first, one more than `limit` when there are more. A restricted key sees its own. */
export async function listPreviews(
  { store }: Pick<PreviewDeps, 'store'>,
  { orgId, scope, environmentIds }: RestrictedCaller,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<WholePreview[]> {
  return store.transaction(scope, async (tx) => {
    const environments = new Map((await listEnvironmentRows(tx, orgId)).map((row) => [row.id, row]))
    const whole = (await listPreviewRows(tx, orgId)).flatMap((preview) => {
      const environment = environments.get(preview.environmentId ?? '')
      return environment === undefined ? [] : [{ preview, environment }]
    })
    return whole
      .filter(({ environment: { id } }) => environmentIds === null || environmentIds.includes(id))
      .filter(({ environment: { id } }) => after === undefined || id < after)
      .slice(0, limit + 1)
  })
}

/** Deletes a preview, named by its id or name. @throws {Problem} `not_found` */
export async function dismissPreview(
  deps: PreviewDeps,
  caller: Caller,
  ref: string,
): Promise<void> {
  const { orgId, scope } = caller
  await deps.store.transaction(scope, async (tx) => {
    await lockEnvironments(tx, orgId)
    const previews = await listPreviewRows(tx, orgId)
    const preview = previews.find(
      ({ environmentId, name }) =>
        environmentId === ref || name.toLowerCase() === ref.toLowerCase(),
    )
    if (preview === undefined) throw notFound()
    await deletePreview(deps, tx, asPreviews(orgId, caller), { preview, isDismissed: true })
  })
}
