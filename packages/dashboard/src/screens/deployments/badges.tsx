import type { DeploymentState } from '@signalbox/contract'
import { Repeat2, TriangleAlert } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { deploymentVariants, messageVariants, type StateVariant } from './states.ts'
import { toTestVariant, toTestNotes, type TestCounts } from './test-counts.ts'

/** Shows a state as a badge. */
export function StateBadge({ variant }: { readonly variant: StateVariant }) {
  return (
    <Badge tone={variant.tone} icon={variant.icon}>
      {variant.word}
    </Badge>
  )
}

/** Shows the state of a deployment as a badge. */
export function DeploymentBadge({ state }: { readonly state: DeploymentState }) {
  return <StateBadge variant={deploymentVariants[state]} />
}

/** Shows what a test run came to, with what takes from the trust in it. */
export function TestsBadge({ tests }: { readonly tests: TestCounts }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <StateBadge variant={toTestVariant(tests)} />
      {toTestNotes(tests).map((note) => (
        <Badge key={note} tone="warn" icon={note === 'contaminated' ? TriangleAlert : Repeat2}>
          {note}
        </Badge>
      ))}
    </span>
  )
}

/** Shows whether the chat was told. It says "message" to who hears it without its column. */
export function MessageBadge({ state }: { readonly state: keyof typeof messageVariants }) {
  const { word, tone, icon } = messageVariants[state]
  return (
    <Badge tone={tone} icon={icon}>
      <span className="sr-only">Message </span>
      {word}
    </Badge>
  )
}
