import type { DeploymentState } from '@signalbox/contract'
import { Repeat2, TriangleAlert } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { deploymentVariants, messageVariants, type StateVariant } from './states.ts'
import { toTestVariant, toTestNotes, type TestCounts } from './test-counts.ts'

export function StateBadge({ variant }: { readonly variant: StateVariant }) {
  return (
    <Badge tone={variant.tone} icon={variant.icon}>
      {variant.word}
    </Badge>
  )
}

/** Shows the state of a deployment as a badge. */
export function DeploymentBadge({ state }: { readonly state: DeploymentState }) {
  const variant = deploymentVariants[state]
  return (
    <span title={variant.meaning} className="inline-flex max-w-full">
      <StateBadge variant={variant} />
    </span>
  )
}

/** Marks a deployment whose repository is at a code host that another one has replaced. */
export function FormerHostBadge() {
  const meaning = 'Its repository is at a code host that is no longer connected.'
  return (
    <span title={meaning} className="inline-flex max-w-full shrink-0">
      <Badge>former code host</Badge>
    </span>
  )
}

interface TestsBadgeProps {
  readonly tests: TestCounts
  /** Says whether the reasons are icons with a tooltip on a wide screen, because another badge stands beside them. */
  readonly compact?: boolean
}

/** Shows the result of a test run, with the reasons to doubt it. */
export function TestsBadge({ tests, compact = false }: TestsBadgeProps) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <StateBadge variant={toTestVariant(tests)} />
      {toTestNotes(tests).map(({ kind, word, meaning }) => (
        <span key={kind} title={meaning} className="inline-flex max-w-full">
          <Badge tone="warn" icon={kind === 'contaminated' ? TriangleAlert : Repeat2}>
            <span className={compact ? 'lg:sr-only' : ''}>{word}</span>
          </Badge>
        </span>
      ))}
    </span>
  )
}

interface MessageBadgeProps {
  readonly state: keyof typeof messageVariants
  /** Says whether the badge names the message, where no column does. Screen readers always hear it. */
  readonly named?: boolean
}

/** Shows whether the message was sent. */
export function MessageBadge({ state, named = false }: MessageBadgeProps) {
  const { word, tone, icon } = messageVariants[state]
  return (
    <Badge tone={tone} icon={icon}>
      <span className={named ? '' : 'sr-only'}>Message </span>
      {named ? word.toLowerCase() : word}
    </Badge>
  )
}
