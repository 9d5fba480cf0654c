import type { Change } from '@signalbox/contract/rest'
import { ArrowRight } from 'lucide-react'
import { describeKeyChange } from './describe-change.ts'

type Configuration = NonNullable<Change['configuration']>

const keysShown = 3

/** Lists the changed keys of a version, each with its old and its new value, and counts the others. */
export function KeyChanges({ configuration }: { readonly configuration: Configuration }) {
  const { changes, total } = configuration
  const first = changes.slice(0, keysShown)
  if (first.length === 0) return null
  const more = total - first.length
  return (
    <ul aria-label="Changed keys" className="flex min-w-0 flex-col gap-0.5 text-sm">
      {first.map((change) => (
        <KeyLine key={change.key} change={change} />
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
