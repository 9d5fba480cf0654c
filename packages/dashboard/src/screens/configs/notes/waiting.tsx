import { PageLink } from '../../../session/page-link.tsx'
import type { WaitingChange } from '../grid/grid-model.ts'

interface WaitingProps {
  readonly waiting: WaitingChange
}

const toText = ({ author, number }: WaitingChange) => `Waiting: ${author}, request ${number}`

/** Marks a cell whose change waits for people with a hollow dot. The line below the grid has the link. */
export function WaitingMark({ waiting }: WaitingProps) {
  return (
    <span
      role="img"
      aria-label={toText(waiting)}
      title={toText(waiting)}
      className="ml-auto size-2.5 shrink-0 rounded-full border-2 border-info"
    />
  )
}

/** Links to the change that waits for people. */
export function WaitingLink({ waiting }: WaitingProps) {
  const { number } = waiting
  return (
    <PageLink
      to={{ page: 'request', params: { requestId: String(number) } }}
      className="inline-flex min-h-7 items-center gap-1.5"
    >
      <span aria-hidden className="size-2.5 shrink-0 rounded-full border-2 border-info" />
      {toText(waiting)}
    </PageLink>
  )
}
