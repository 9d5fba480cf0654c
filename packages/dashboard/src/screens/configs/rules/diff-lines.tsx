import { LongText } from '../../../components/long-text.tsx'
import type { DiffLine } from './diff-rules.ts'

interface DiffLinesProps {
  readonly label: string
  readonly lines: readonly DiffLine[]
}

/** Renders a difference line by line: what is gone struck through, what is new in its place. */
export function DiffLines({ label, lines }: DiffLinesProps) {
  return (
    <ul aria-label={label} className="flex flex-col text-sm">
      {lines.map((line, index) => (
        <Line key={`${index} ${line.text}`} line={line} />
      ))}
    </ul>
  )
}

const marks = {
  same: { mark: ' ', word: 'unchanged', className: 'text-muted' },
  added: { mark: '+', word: 'added', className: 'text-ok' },
  removed: { mark: '−', word: 'removed', className: 'text-bad' },
} as const

function Line({ line: { kind, text } }: { readonly line: DiffLine }) {
  const { mark, word, className } = marks[kind]
  return (
    <li className={`flex gap-2 ${className}`}>
      <span aria-hidden className="w-3 shrink-0 font-mono">
        {mark}
      </span>
      <span className="sr-only">{word}: </span>
      <span className={`min-w-0 wrap-anywhere ${kind === 'removed' ? 'line-through' : ''}`}>
        <LongText text={text} />
      </span>
    </li>
  )
}
