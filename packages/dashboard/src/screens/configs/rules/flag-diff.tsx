import { describeFlag, type FlagState } from '@signalbox/contract'
import { LongText } from '../../../components/long-text.tsx'
import { diffRules, type RuleLine } from './diff-rules.ts'

interface FlagDiffProps {
  readonly before: FlagState
  readonly after: FlagState
}

/** Renders the state of a flag before and after a change in words, and its rules line by line. */
export function FlagDiff({ before, after }: FlagDiffProps) {
  const lines = diffRules(before.rules ?? [], after.rules ?? [])
  const [was, is] = [describeFlag(before), describeFlag(after)]
  return (
    <div className="flex flex-col gap-1 text-[0.93rem]">
      <p className="wrap-anywhere">
        {was !== is && (
          <>
            <span className="text-bad">{was}</span>
            <span className="text-muted"> → </span>
          </>
        )}
        <span className={was === is ? '' : 'text-ok'}>{is}</span>
        {was === is && <span className="text-muted"> as before; other rules</span>}
      </p>
      {lines.length > 0 && (
        <ul aria-label="Rules" className="flex flex-col text-sm">
          {lines.map((line, index) => (
            <Line key={`${index} ${line.text}`} line={line} />
          ))}
        </ul>
      )}
    </div>
  )
}

const marks = {
  same: { mark: ' ', word: 'unchanged', className: 'text-muted' },
  added: { mark: '+', word: 'added', className: 'text-ok' },
  removed: { mark: '−', word: 'removed', className: 'text-bad' },
} as const

function Line({ line: { kind, text } }: { readonly line: RuleLine }) {
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
