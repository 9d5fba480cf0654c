import type { previewEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { presentEnvironment } from '../configs/environments/present-environment.ts'
import { archivedForMs } from './follow-repository.ts'
import type { WholePreview } from './list-previews.ts'
import type { PreviewRow } from './preview-rows.ts'
import type { PreviewRuleRow } from './preview-rule.ts'

/** Returns a rule as the API describes it. */
export function presentRule({
  secrets,
  createdAt,
  updatedAt,
  ...row
}: PreviewRuleRow): ResponseOf<typeof previewEndpoints.createPreviewRule> {
  const names = { names: [...(secrets ?? [])] }
  return {
    ...row,
    repositories: [...row.repositories],
    secrets: secrets === null ? 'all' : secrets.length === 0 ? 'none' : names,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** Returns a preview as the API describes it. */
export function presentPreview({ preview, environment }: WholePreview) {
  const presented = presentEnvironment(environment)
  const source = presented.source && { ...presented.source, pullRequest: preview.pullRequest }
  return {
    environment: { ...presented, source },
    ruleId: preview.ruleId,
    state: preview.state === 'live' ? ('live' as const) : ('archived' as const),
    ended: presentEnd(preview),
    browserKeyId: preview.browserKeyId,
    serverKeyId: preview.serverKeyId,
  }
}

function presentEnd({ endReason, endDetail, endedAt }: PreviewRow) {
  if (endReason === null || endedAt === null) return null
  return {
    reason: endReason,
    detail: endDetail ?? '',
    at: endedAt.toISOString(),
    deletedAt: new Date(endedAt.getTime() + archivedForMs).toISOString(),
  }
}
