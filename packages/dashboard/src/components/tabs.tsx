import type { LucideIcon } from 'lucide-react'
import type { KeyboardEvent } from 'react'

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly options: readonly {
    readonly value: Value
    readonly label: string
    readonly icon?: LucideIcon
  }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** Renders a choice of a few values that changes a list. The arrow keys move along it. */
export function Segments<Value extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentsProps<Value>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex rounded-md border border-edge p-px"
      onKeyDown={moveAlong}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="inline-flex min-h-7 items-center rounded-[5px] px-2.5 aria-pressed:bg-accent aria-pressed:text-on-accent forced-colors:aria-pressed:outline-2"
        >
          {option.icon && <option.icon aria-hidden size={14} className="mr-1.5" />}
          {option.label}
        </button>
      ))}
    </div>
  )
}

function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  event.preventDefault()
  buttons.at((at + step) % buttons.length)?.focus()
}
