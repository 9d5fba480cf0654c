import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/code.tsx'
import { Loaded } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'

const reasons = {
  missing: 'is missing',
  changed: 'was changed',
  not_linked: 'doesn’t match the previous one',
  end_differs: 'is not the newest recorded one',
} as const

const countEvents = (count: number) => (count === 1 ? '1 event' : `${count} events`)

interface ChainLineProps {
  readonly isChecked: boolean
  readonly onCheck: () => void
}

/** Shows whether the log was tampered with: each event holds the hash of the one before it. */
export function ChainLine({ isChecked, onCheck }: ChainLineProps) {
  const chain = useRead('GET /organizations/{org_id}/audit-events/chain', {
    enabled: isChecked,
    fresh: false,
  })
  return (
    <section
      aria-label="Hash chain"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted"
    >
      {isChecked ? (
        <Loaded query={chain} skeleton={<p>Checking the hash chain…</p>}>
          {(state) => <ChainState chain={state} />}
        </Loaded>
      ) : (
        <p>A hash chain links the events, so that nobody can rewrite one unnoticed.</p>
      )}
      <Button
        pending={chain.isFetching}
        onClick={() => (isChecked ? void chain.refetch() : onCheck())}
      >
        Check the chain
      </Button>
    </section>
  )
}

type Chain = AnswerOf<'GET /organizations/{org_id}/audit-events/chain'>

function ChainState({ chain }: { readonly chain: Chain }) {
  const { state, verified, headHash, fault, checkedAt } = chain
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
      {state === 'intact' ? (
        <Badge tone="ok" icon={ShieldCheck}>
          Intact
        </Badge>
      ) : (
        <Badge tone="bad" icon={ShieldAlert}>
          Broken
        </Badge>
      )}
      <span>
        {fault === null
          ? `${countEvents(verified)} checked: the chain is unbroken.`
          : `Event ${fault.sequence} ${reasons[fault.reason]}. Intact before it: ${countEvents(verified)}.`}{' '}
        <span className="text-muted">
          Checked <Age at={checkedAt} />.
        </span>
      </span>
      {headHash !== null && (
        <span className="flex min-w-0 items-center gap-1">
          <code className="truncate font-mono text-sm text-muted" title={headHash}>
            {headHash.slice(0, 16)}…
          </code>
          <CopyButton text={headHash} label="Copy the hash of the newest event" />
        </span>
      )}
    </div>
  )
}
