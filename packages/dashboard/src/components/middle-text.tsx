interface MiddleTextProps {
  readonly text: string
  /** Holds the number of last characters that stay visible. */
  readonly tail: number
  /** Styles the text, whose font gives all characters one width. */
  readonly className: string
  readonly title?: string
}

/** Other scripts may run from right to left, and have characters of other widths. */
const isPlain = (text: string) => /^[\u{20}-\u{7e}]*$/u.test(text)

/**
 * Renders a text on one line that is shortened in its middle where it does not fit: names and addresses differ at their
 * end.
 */
export function MiddleText({ text, tail, className, title }: MiddleTextProps) {
  if (text.length <= tail * 2 || !isPlain(text)) {
    return (
      <bdi className={`truncate ${className}`} title={title}>
        {text}
      </bdi>
    )
  }
  return (
    <bdi className={`overflow-hidden whitespace-pre ${className}`} title={title}>
      <span
        className="inline-block truncate align-bottom whitespace-pre"
        // Adds half a pixel, so that a rounded width shortens no text that fits.
        style={{ maxWidth: `calc(100% - ${tail}ch + 0.5px)` }}
      >
        {text.slice(0, -tail)}
      </span>
      {text.slice(-tail)}
    </bdi>
  )
}
