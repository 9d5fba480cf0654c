import { Badge } from '../../components/badge.tsx'
import { Age } from '../../components/time.tsx'
import type { Signal } from '../proofs/use-signals.ts'
import { readingWords } from './describe-signal.ts'

interface ReadingTextProps {
  readonly reading: NonNullable<Signal['last']>
}

/** Shows what a signal said, and why. */
export function ReadingText({ reading: { verdict, value, detail, at } }: ReadingTextProps) {
  const [word, tone] = readingWords[verdict]
  return (
    <div className="flex flex-col items-start gap-1">
      <span className="flex flex-wrap items-center gap-x-2">
        <Badge tone={tone}>{word}</Badge>
        {value !== null && <span className="font-mono text-sm">{value}</span>}
        <span className="text-sm text-muted">
          <Age at={at} />
        </span>
      </span>
      {detail !== null && <span className="text-sm wrap-anywhere text-muted">It {detail}.</span>}
    </div>
  )
}
