import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { Prose } from '../../../components/code.tsx'
import { LongText } from '../../../components/long-text.tsx'
import type { Reason } from './describe-decision.ts'

const styles = {
  met: { icon: CircleCheck, color: 'text-ok', word: 'Met' },
  waiting: { icon: Clock, color: 'text-info', word: 'Waits' },
  refused: { icon: CircleX, color: 'text-bad', word: 'Refused' },
} as const

interface ReasonsProps {
  readonly label: string
  readonly reasons: readonly Reason[]
  /** Says whether the deployment still waits, so that a person can do something about it. */
  readonly isWaiting: boolean
}

/** Lists what a deployment waits for, or has waited for, each with what a person does about it. */
export function Reasons({ label, reasons, isWaiting }: ReasonsProps) {
  return (
    <ul aria-label={label} className="flex flex-col gap-2">
      {reasons.map((reason) => (
        <ReasonLine
          key={`${reason.gateId} ${reason.code} ${reason.text}`}
          {...{ reason, isWaiting }}
        />
      ))}
    </ul>
  )
}

interface ReasonLineProps extends Pick<ReasonsProps, 'isWaiting'> {
  readonly reason: Reason
}

function ReasonLine({ reason: { state, text, nextStep }, isWaiting }: ReasonLineProps) {
  const { icon: Icon, color, word } = styles[state]
  return (
    <li className="flex gap-2">
      <Icon aria-hidden size={15} className={`mt-0.5 shrink-0 ${color}`} />
      <div className="min-w-0 wrap-anywhere">
        <span className="sr-only">{word}: </span>
        <LongText text={text} />
        {isWaiting && nextStep !== null && state !== 'met' && (
          <p className="line-clamp-6 text-sm text-muted">
            <Prose text={nextStep} />
          </p>
        )}
      </div>
    </li>
  )
}
