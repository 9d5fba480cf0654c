import type { LucideIcon } from 'lucide-react'

interface FilterChipProps {
  readonly label: string
  /** Explains the filter. */
  readonly title?: string
  readonly icon?: LucideIcon
  readonly isPressed: boolean
  readonly onPress: () => void
}

/** Renders a filter that is on or off, as a small round button. */
export function FilterChip({ label, title, icon: Icon, isPressed, onPress }: FilterChipProps) {
  return (
    <button
      type="button"
      title={title}
      aria-pressed={isPressed}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-edge px-3 aria-pressed:border-transparent aria-pressed:bg-accent aria-pressed:text-on-accent forced-colors:aria-pressed:outline-2"
      onClick={onPress}
    >
      {Icon && <Icon aria-hidden size={14} />}
      {label}
    </button>
  )
}
