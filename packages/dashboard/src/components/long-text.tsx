import { useState } from 'react'

/** Limits the text to about what fits into the first lines on a phone. */
const shownLength = 280

interface LongTextProps {
  readonly text: string
  /** Styles the text, not its button. */
  readonly className?: string
}

/** Renders a text from others. It is shortened at first; a button shows the rest. */
export function LongText({ text, className = '' }: LongTextProps) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > shownLength || text.split('\n', 7).length > 6
  if (!isLong) return <bdi className={className}>{text}</bdi>
  return (
    <>
      <bdi className={`${className} ${isOpen ? 'block' : 'line-clamp-6'}`}>{text}</bdi>
      <button
        type="button"
        aria-expanded={isOpen}
        className="inline-block min-h-7 text-accent underline-offset-2 hover:underline"
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Show less' : 'Show all of it'}
      </button>
    </>
  )
}
