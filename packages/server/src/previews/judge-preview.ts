import type { PreviewEnd } from '@signalbox/contract/rest'
import type { PreviewRuleRow } from './preview-rule.ts'

/** Holds what is recorded of a host environment that is or may become a preview. */
export interface PreviewFacts {
  /** `undefined`: no rule fits it. */
  readonly rule: Pick<PreviewRuleRow, 'expiresDays'> | undefined
  /** Holds when the code host was seen without it. */
  readonly removedAt: Date | null
  /** Describes the newest deployment there. */
  readonly deployment: {
    /** As the code host reports it. */
    readonly state: string
    readonly createdAt: Date
    readonly changedAt: Date
  } | null
  readonly pullRequest: {
    readonly number: number
    readonly state: 'open' | 'merged' | 'closed'
    readonly isFork: boolean
    readonly updatedAt: Date
  } | null
  /** Holds when a pipeline asked for it last. */
  readonly askedAt: Date | null
  /** Holds when a person deleted it. */
  readonly dismissedAt: Date | null
}

/** Says whether a preview should live, until when, or why it should not. */
export type Judgement =
  | { readonly isLive: true; readonly expiresAt: Date }
  | { readonly isLive: false; readonly reason: PreviewEnd }

const dayMs = 86_400_000

/**
 * Says whether a preview should live by what is recorded of it. Nothing here depends on the order in which that was reported, so
 * events may come late, twice or shuffled.
 */
export function judgePreview(facts: PreviewFacts, now: Date): Judgement {
  const { rule, pullRequest } = facts
  if (rule === undefined) return ended('rule')
  if (pullRequest?.isFork === true) return ended('fork')
  if (pullRequest !== null && pullRequest.state !== 'open') return ended(pullRequest.state)
  const reason = findEnd(facts)
  if (reason !== undefined) return ended(reason)
  const last = Math.max(
    ...[facts.deployment?.changedAt, facts.askedAt, pullRequest?.updatedAt].map(
      (at) => at?.getTime() ?? 0,
    ),
  )
  const expiresAt = new Date(last + rule.expiresDays * dayMs)
  return expiresAt <= now ? ended('expired') : { isLive: true, expiresAt }
}

function findEnd({
  deployment,
  removedAt,
  askedAt,
  dismissedAt,
}: PreviewFacts): PreviewEnd | undefined {
  const isAskedAfter = (at: Date) => askedAt !== null && askedAt > at
  const isDeployedAfter = (at: Date) => deployment !== null && deployment.createdAt > at
  const isAgain = (at: Date) => isAskedAfter(at) || isDeployedAfter(at)
  if (deployment === null && askedAt === null) return 'expired'
  if (dismissedAt !== null && !isAgain(dismissedAt)) return 'deleted'
  if (removedAt !== null && !isAgain(removedAt)) return 'host_environment_deleted'
  const isOver = deployment?.state === 'inactive' && !isAskedAfter(deployment.changedAt)
  return isOver ? 'inactive' : undefined
}

function ended(reason: PreviewEnd): Judgement {
  return { isLive: false, reason }
}

/** Says to people why a preview ended, and what they do about it. */
export function describeEnd(
  reason: PreviewEnd,
  of: { readonly name: string; readonly number: number | null },
) {
  const request = of.number === null ? 'its pull request' : `pull request ${of.number}`
  const because: Readonly<Record<PreviewEnd, string>> = {
    merged: `${request} was merged`,
    closed: `${request} was closed. Open it again to have the preview back`,
    fork: `${request} comes from a fork, which has no environment here`,
    inactive: 'its deployment was taken down. Deploy it again to have it back',
    host_environment_deleted:
      'its environment was deleted at the code host. Deploy it again to have it back',
    expired: 'nothing happened to it for days. Deploy it again to have it back',
    rule: 'no rule of previews fits it any more',
    deleted: 'somebody deleted it',
  }
  return `The preview ${of.name} has ended: ${because[reason]}.`
}
