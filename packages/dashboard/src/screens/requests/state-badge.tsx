import { Badge } from '../../components/badge.tsx'
import { stateStyles, type RequestState } from './states.ts'

/** Shows the state of a request. */
export function StateBadge({ state }: { readonly state: RequestState }) {
  const { word, tone, icon } = stateStyles[state]
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  )
}
