import { ArrowDown, ArrowUp, GripVertical, Pencil, Trash2 } from 'lucide-react'
import { describeRule } from '@signalbox/contract'
import { IconButton } from '../../../components/button.tsx'
import { LongText } from '../../../components/long-text.tsx'
import type { FlagRules } from '../matrix.ts'
import { SplitBar } from './split-bar.tsx'
import type { RuleDrag } from './use-rule-drag.ts'

interface RuleCardProps {
  readonly rule: FlagRules[number]
  readonly index: number
  readonly count: number
  readonly mayWrite: boolean
  /** Holds the index of an earlier rule that decides for everyone, so that this one is never asked. */
  readonly decidedBy: number | undefined
  readonly drag: RuleDrag
  readonly onMove: (from: number, to: number) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** Renders a rule in words: its place, its name, its users, and what they get. */
export function RuleCard(props: RuleCardProps) {
  const { rule, index, mayWrite, decidedBy, drag } = props
  const isTarget = drag.from !== undefined && drag.to === index && drag.from !== index
  const edge = isTarget ? (drag.from > index ? 'border-t-accent' : 'border-b-accent') : ''
  return (
    <div
      className={`flex flex-col gap-1 rounded-lg border-2 border-line bg-panel px-2 py-1.5 ${edge} ${drag.from === index ? 'opacity-60' : ''}`}
    >
      <div className="flex items-start gap-1">
        {mayWrite && <Grip {...props} />}
        <span className="w-6 shrink-0 pt-1.5 text-right text-muted">{index + 1}.</span>
        <div className="min-w-0 flex-1 pt-1.5 wrap-anywhere">
          <RuleText rule={rule} />
          {decidedBy !== undefined && (
            <p className="text-sm text-warn">
              Never used: rule {decidedBy + 1} decides for everyone before it.
            </p>
          )}
        </div>
      </div>
      {mayWrite && <Actions {...props} />}
    </div>
  )
}

/** Says what a rule does, and draws a division. */
function RuleText({ rule }: Pick<RuleCardProps, 'rule'>) {
  const { description, serve } = rule
  const isDivided = typeof serve === 'object' && ('percent' in serve || 'split' in serve)
  return (
    <>
      {description !== undefined && (
        <p className="font-medium">
          <LongText text={description} />
        </p>
      )}
      <p className={description === undefined ? '' : 'text-muted'}>
        <LongText text={describeRule(rule)} />
      </p>
      {isDivided && <SplitBar serve={serve} />}
    </>
  )
}

function Grip({ index, count, drag, onMove }: RuleCardProps) {
  return (
    <button
      type="button"
      data-grip={index}
      aria-label={`Move rule ${index + 1} of ${count}`}
      title="Drag, or press the arrow keys"
      className="inline-flex size-8 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text active:cursor-grabbing"
      {...drag.gripOf(index)}
      onKeyDown={(event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        onMove(index, index + step)
      }}
    >
      <GripVertical aria-hidden size={16} />
    </button>
  )
}

function Actions({ index, count, onMove, onEdit, onRemove }: RuleCardProps) {
  const number = index + 1
  return (
    <div className="flex justify-end">
      {number > 1 && (
        <IconButton
          label={`Move rule ${number} up`}
          icon={ArrowUp}
          onClick={() => onMove(index, index - 1)}
        />
      )}
      {number < count && (
        <IconButton
          label={`Move rule ${number} down`}
          icon={ArrowDown}
          onClick={() => onMove(index, index + 1)}
        />
      )}
      <IconButton label={`Edit rule ${number}`} icon={Pencil} data-edit={index} onClick={onEdit} />
      <IconButton label={`Remove rule ${number}`} icon={Trash2} onClick={onRemove} />
    </div>
  )
}
