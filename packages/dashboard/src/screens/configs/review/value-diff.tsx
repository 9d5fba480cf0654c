import type { ConfigValue } from '@signalbox/contract'
import { LongText } from '../../../components/long-text.tsx'
import { toValueText } from '../matrix.ts'

interface ValueDiffProps {
  readonly before: ConfigValue | undefined
  readonly after: ConfigValue | undefined
}

/** Renders a value and its replacement. */
export function ValueDiff({ before, after }: ValueDiffProps) {
  return (
    <div className="font-mono text-[0.93rem]">
      {before !== undefined && (
        <p className="break-all text-bad">
          <span aria-hidden>− </span>
          <span className="sr-only">before: </span>
          <LongText text={toShown(before)} className="line-through" />
        </p>
      )}
      <p className={`break-all ${after === undefined ? 'text-muted' : 'text-ok'}`}>
        <span aria-hidden>+ </span>
        <span className="sr-only">after: </span>
        {after === undefined ? 'no value' : <LongText text={toShown(after)} />}
      </p>
    </div>
  )
}

function toShown(value: ConfigValue): string {
  return value === '' ? '""' : toValueText(value)
}
