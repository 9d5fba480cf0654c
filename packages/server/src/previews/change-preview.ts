import type { PreviewEnd } from '@signalbox/contract/rest'
import type { Caller } from '../config-model/caller.ts'
import {
  archivePreview,
  createPreview,
  removePreview,
  renewPreview,
} from '../configs/environments/preview-environments.ts'
import { endPreviewKeys } from '../identity/api-keys/preview-keys.ts'
import type { NamedRepository } from '../read-models/previews/candidate-rows.ts'
import type { Tx } from '../store/store.ts'
import { describeEnd } from './judge-preview.ts'
import type { PreviewDeps } from './preview-deps.ts'
import { savePreviewRow, type PreviewRow } from './preview-rows.ts'
import type { PreviewRuleRow } from './preview-rule.ts'

/** Describes a preview that should live. */
export interface LivePreview {
  readonly repositoryId: string
  readonly repository: NamedRepository
  readonly hostEnvironment: string
  readonly pullRequest: number | null
  readonly rule: PreviewRuleRow
  readonly preview: PreviewRow | undefined
  /** Left out: nobody asks for it now. */
  readonly askedAt?: Date
}

/**
 * Makes a preview live, in the transaction of the caller: creates it, brings an archived one back, or lets one that lives inherit
 * what its rule says now.
 *
 * @throws {Problem} `quota_exceeded`, what publishing throws
 */
export async function keepPreview(
  deps: PreviewDeps,
  tx: Tx,
  caller: Caller,
  of: LivePreview,
): Promise<PreviewRow> {
  const before = of.preview ?? nothingBefore
  const made =
    before.environmentId === null
      ? await makeEnvironment(deps, tx, caller, of)
      : { environmentId: before.environmentId, name: before.name, createdAt: before.createdAt }
  const isOther = before.state === 'archived' || before.ruleId !== of.rule.id
  if (before.environmentId !== null && isOther) {
    const renewed = { id: before.environmentId, inheritedSecrets: of.rule.secrets }
    await renewPreview(deps.configs, tx, caller, renewed)
  }
  const row: PreviewRow = {
    ...before,
    ...made,
    repositoryId: of.repositoryId,
    hostEnvironment: of.hostEnvironment,
    pullRequest: of.pullRequest,
    ruleId: of.rule.id,
    state: 'live',
    askedAt: of.askedAt ?? before.askedAt,
    endReason: null,
    endDetail: null,
    endedAt: null,
  }
  await savePreviewRow(tx, caller.orgId, row)
  return row
}

const nothingBefore = {
  environmentId: null,
  state: 'deleted',
  ruleId: null,
  askedAt: null,
  dismissedAt: null,
  browserKeyId: null,
  serverKeyId: null,
} as const

async function makeEnvironment(
  deps: PreviewDeps,
  tx: Tx,
  caller: Caller,
  { rule, repository, ...of }: LivePreview,
): Promise<{ readonly environmentId: string; readonly name: string; readonly createdAt: Date }> {
  const { id, name, createdAt } = await createPreview(deps.configs, tx, caller, {
    source: {
      repositoryId: of.repositoryId,
      externalId: repository.externalId,
      repository: repository.fullName,
      pullRequest: of.pullRequest,
      hostEnvironment: of.hostEnvironment,
    },
    parentId: rule.parentId,
    inheritedSecrets: rule.secrets,
  })
  return { environmentId: id, name, createdAt }
}

/** Ends a preview, in the transaction of the caller: its readers get the reason, and its keys end. */
export async function endPreview(
  deps: PreviewDeps,
  tx: Tx,
  caller: Caller,
  { preview, reason }: { readonly preview: PreviewRow; readonly reason: PreviewEnd },
): Promise<void> {
  const { environmentId, name, pullRequest } = preview
  if (environmentId === null) return
  const detail = describeEnd(reason, { name, number: pullRequest })
  await archivePreview(deps.configs, tx, caller, { id: environmentId, ended: detail })
  await endKeys(deps, tx, caller, preview)
  await savePreviewRow(tx, caller.orgId, {
    ...preview,
    state: 'archived',
    endReason: reason,
    endDetail: detail,
    endedAt: deps.now(),
    browserKeyId: null,
    serverKeyId: null,
  })
}

/** Deletes a preview with its values, in the transaction of the caller. Its row stays, so that nothing from before makes it again. */
export async function deletePreview(
  deps: PreviewDeps,
  tx: Tx,
  caller: Caller,
  { preview, isDismissed }: { readonly preview: PreviewRow; readonly isDismissed: boolean },
): Promise<void> {
  const { environmentId } = preview
  if (environmentId === null) return
  await endKeys(deps, tx, caller, preview)
  await removePreview(deps.configs, tx, caller, environmentId)
  const now = deps.now()
  const wasLive = preview.state === 'live'
  await savePreviewRow(tx, caller.orgId, {
    ...preview,
    environmentId: null,
    state: 'deleted',
    endedAt: preview.endedAt ?? now,
    ...(wasLive && {
      endReason: 'deleted' as const,
      endDetail: describeEnd('deleted', { name: preview.name, number: preview.pullRequest }),
    }),
    ...(isDismissed && { dismissedAt: now }),
    browserKeyId: null,
    serverKeyId: null,
  })
}

/** Revokes the keys that a preview has. */
export async function endKeys(
  deps: Pick<PreviewDeps, 'now'>,
  tx: Tx,
  { orgId, author, request }: Caller,
  { browserKeyId, serverKeyId }: Pick<PreviewRow, 'browserKeyId' | 'serverKeyId'>,
): Promise<void> {
  const keyIds = [browserKeyId, serverKeyId].filter((id) => id !== null)
  await endPreviewKeys(tx, { orgId, actor: author, request }, { keyIds, now: deps.now() })
}
