import { Check, LoaderCircle, X } from 'lucide-react'
import { IconButton } from '../../../components/button.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { formatPart, describeSync, toParts, type Sync } from './describe-sync.ts'
import type { SyncControl } from './use-sync.ts'

interface SyncProgressProps {
  readonly control: SyncControl
  readonly onClose: () => void
}

/** Shows the progress of the sync, and its result. */
export function SyncProgress({ control: { sync, problem }, onClose }: SyncProgressProps) {
  const host = useProviderName('codehost')
  if (problem !== null) return <FormProblem problem={problem} />
  if (sync === undefined) return null
  const hasEnded = sync.state === 'done' || sync.state === 'failed'
  return (
    <div
      role={sync.state === 'failed' ? 'alert' : 'status'}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border border-line bg-panel px-4 py-2"
    >
      <StateMark state={sync.state} />
      <span className="min-w-0 flex-1 break-words">{describeSync(sync, host)}</span>
      {!hasEnded && (
        <span className="flex flex-wrap gap-x-4 text-sm text-muted tabular-nums">
          {toParts(sync).map((part) => (
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
