import { useId } from 'react'

interface ExplainedProps {
  readonly term: string
  readonly definition: string
  /** Names the side from which the definition grows, so that it stays on the screen. */
  readonly side: 'left' | 'right'
}

/** Renders a term whose definition appears under the pointer and with the focus. Escape hides it. */
export function Explained({ term, definition, side }: ExplainedProps) {
  const id = useId()
  return (
    <span className="group relative inline-block">
      <button
        type="button"
        aria-describedby={id}
        className="min-h-7 cursor-help text-left text-sm text-muted underline decoration-dotted underline-offset-4"
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur()
        }}
      >
        {term}
      </button>
      <span
        role="tooltip"
        id={id}
        className={`absolute top-full z-10 hidden w-64 rounded-md border border-line bg-panel px-3 py-2 text-sm text-text shadow-lg group-focus-within:block group-hover:block ${
          side === 'left' ? 'left-0' : 'right-0'
        }`}
      >
        {definition}
      </span>
    </span>
  )
}
