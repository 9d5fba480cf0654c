import type { LucideIcon } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'

const tones = {
  neutral: 'bg-raised text-muted',
  ok: 'bg-ok-ground text-ok',
  bad: 'bg-bad-ground text-bad',
  warn: 'bg-warn-ground text-warn',
  info: 'bg-info-ground text-info',
} as const

/** Names the meaning of a color. */
export type Tone = keyof typeof tones

interface BadgeProps {
  readonly tone?: Tone
  /** Repeats the color for people who do not see it. */
  readonly icon?: LucideIcon
  /** Says whether the text is an external name, such as a scope, whose case is kept. */
  readonly isName?: boolean
  readonly children: ReactNode
}

/** Renders the state of something in one word, with a capital letter. */
export function Badge({ tone = 'neutral', icon: Icon, isName = false, children }: BadgeProps) {
  return (
    <span
      data-badge=""
      className={`inline-flex max-w-full items-center gap-1 rounded px-1.5 py-0.5 text-xs font-medium whitespace-nowrap forced-colors:border ${tones[tone]}`}
    >
      {Icon && <Icon aria-hidden size={12} />}
      <span
        data-badge-text=""
        className={isName ? 'truncate' : 'inline-block truncate first-letter:uppercase'}
      >
        {children}
      </span>
    </span>
  )
}

interface LetterTileProps {
  readonly letters: string
  /** Holds the angle of its color, in degrees. */
  readonly hue: number
}

/**
 * Shows letters on a colored tile, by which a thing is recognized among others of its kind. Its name is beside it, so
 * screen readers and searches in the page skip the letters.
 */
export function LetterTile({ letters, hue }: LetterTileProps) {
  return <span aria-hidden className="letter-tile" data-letters={letters} style={toHue(hue)} />
}

function toHue(hue: number): CSSProperties {
  return Object.fromEntries([['--hue', hue]])
}
