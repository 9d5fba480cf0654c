import type { Change } from '@signalbox/contract/rest'
import { ArrowRight } from 'lucide-react'
import { SegmentChange } from '../configs/segments/segment-change.tsx'
import { describeKeyChange } from './describe-change.ts'

type Configuration = NonNullable<Change['configuration']>

const keysShown = 3

interface KeyChangesProps {
  readonly configuration: Configuration
  /** Holds the moment of the version. */
  readonly at: string
}

/** Lists the changed keys of a version, each with its old and its new value, and counts the others. */
export function KeyChanges({ configuration, at }: KeyChangesProps) {
  const { changes, total } = configuration
  const first = changes.slice(0, keysShown)
  if (first.length === 0) return null
  const more = total - first.length
  const segments = new Set(changes.flatMap((change) => change.segments ?? []))
  return (
    <ul aria-label="Changed keys" className="flex min-w-0 flex-col gap-0.5 text-sm">
      {first.map((change) => (
        <KeyLine key={change.key} change={change} />
      ))}
      {[...segments].map((name) => (
        <li key={`segment ${name}`}>
          <SegmentChange name={name} at={at} />
        </li>
      ))}
      {more > 0 && (
        <li className="text-muted">
          and {more} more {more === 1 ? 'key' : 'keys'}
        </li>
      )}
    </ul>
  )
}

function KeyLine({ change }: { readonly change: Configuration['changes'][number] }) {
  const { before, after, note } = describeKeyChange(change)
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <span className="min-w-0 font-mono wrap-anywhere">{change.key}</span>
      {before !== undefined && after !== undefined && (
        <span className="min-w-0 font-mono wrap-anywhere">
          {before}{' '}
          <ArrowRight role="img" aria-label="is now" size={12} className="inline text-muted" />{' '}
          {after}
        </span>
      )}
      {note !== undefined && <span className="min-w-0 text-muted">{note}</span>}
    </li>
  )
}
