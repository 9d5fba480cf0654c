import { Check, LoaderCircle, X } from 'lucide-react'
import { IconButton } from '../../../components/button.tsx'
import { formatPart, type Part, type Sync } from './describe-sync.ts'

interface SyncLineProps {
  readonly state: Sync['state']
  /** Says how far it is, or how it ended. */
  readonly sentence: string
  readonly parts: readonly Part[]
  readonly onClose: () => void
}

/** Shows how far a sync is, and its result once it has ended. */
export function SyncLine({ state, sentence, parts, onClose }: SyncLineProps) {
  const hasEnded = state === 'done' || state === 'failed'
  return (
    <div
      role={state === 'failed' ? 'alert' : 'status'}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border border-line bg-panel px-4 py-2"
    >
      <StateMark state={state} />
      <span className="min-w-0 flex-1 break-words">{sentence}</span>
      {!hasEnded && (
        <span className="flex flex-wrap gap-x-4 text-sm text-muted tabular-nums">
          {parts.map((part) => (
            <span key={part.name}>
              {part.name} {formatPart(part)}
            </span>
          ))}
        </span>
      )}
      {hasEnded && <IconButton label="Dismiss" icon={X} onClick={onClose} />}
    </div>
  )
}

function StateMark({ state }: Pick<Sync, 'state'>) {
  if (state === 'done') return <Check aria-hidden size={16} className="text-ok" />
  if (state === 'failed') return <X aria-hidden size={16} className="text-bad" />
  return <LoaderCircle aria-hidden size={16} className="animate-spin text-info" />
}
