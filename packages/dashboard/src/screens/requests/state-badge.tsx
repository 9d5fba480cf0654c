import { Badge } from '../../components/badge.tsx'
import type { RequestState } from '@signalbox/contract'
import { stateStyles } from './states.ts'

/** Shows the state of a request. */
export function StateBadge({ state }: { readonly state: RequestState }) {
  const { word, tone, icon } = stateStyles[state]
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  )
}
