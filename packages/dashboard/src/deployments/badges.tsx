import type { DeploymentState } from '@signalbox/contract/rest'
import { Repeat2, TriangleAlert } from 'lucide-react'
import { Badge } from '../parts/badge.tsx'
import { deploymentLooks, messageLooks, type StateLook } from './states.ts'
import { toTestLook, toTestNotes, type TestCounts } from './test-counts.ts'

export function StateBadge({ look }: { readonly look: StateLook }) {
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.word}
    </Badge>
  )
}

export function DeploymentBadge({ state }: { readonly state: DeploymentState }) {
  return <StateBadge look={deploymentLooks[state]} />
}

/** What a test run came to, with what takes from the trust in it. */
export function TestsBadge({ tests }: { readonly tests: TestCounts }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <StateBadge look={toTestLook(tests)} />
      {toTestNotes(tests).map((note) => (
        <Badge key={note} tone="warn" icon={note === 'contaminated' ? TriangleAlert : Repeat2}>
          {note}
        </Badge>
      ))}
    </span>
  )
}

/** Whether the chat was told. It says "message" to who hears it without its column. */
export function MessageBadge({ state }: { readonly state: keyof typeof messageLooks }) {
  const { word, tone, icon } = messageLooks[state]
  return (
    <Badge tone={tone} icon={icon}>
      <span className="sr-only">Message </span>
      {word}
    </Badge>
  )
}
