interface SwitchProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Says whether it cannot be turned now. It keeps the focus, which the platform's `disabled` would drop. */
  readonly disabled?: boolean
  /** Sets the tab order. `-1`: another way leads to it, as in a grid. */
  readonly tabIndex?: number
  /** Says whether it shows a staged change. */
  readonly staged?: boolean
}

/** Renders on or off, in words as well. In forced colors, on is filled and off is an outline. */
export function Switch({
  label,
  checked,
  onChange,
  disabled = false,
  staged = false,
  tabIndex,
}: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-disabled={disabled || undefined}
      tabIndex={tabIndex}
      onClick={() => {
        if (!disabled) onChange(!checked)
      }}
      className={`inline-flex min-h-7 items-center gap-2 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 ${checked ? '' : 'text-muted'}`}
    >
      <span
        aria-hidden
        className={`flex h-5 w-9 items-center rounded-full border p-0.5 ${checked ? 'justify-end border-accent bg-accent forced-colors:border-[Highlight] forced-colors:bg-[Highlight]' : 'border-edge bg-panel'} ${staged ? 'outline-2 outline-offset-1 outline-warn outline-dashed' : ''}`}
      >
        <span
          className={`size-3.5 rounded-full ${checked ? 'bg-on-accent forced-colors:bg-[HighlightText]' : 'bg-edge forced-colors:bg-[ButtonText]'}`}
        />
      </span>
      {checked ? 'on' : 'off'}
    </button>
  )
}
