import type { Change } from '@signalbox/contract/rest'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOrganization } from '../../session/organization.ts'
import { SegmentChange } from '../configs/segments/segment-change.tsx'
import { describeKeyChange } from './describe-change.ts'

type Configuration = NonNullable<Change['configuration']>

const keysShown = 3

interface KeyChangesProps {
  /** Holds a change of configuration. */
  readonly version: Pick<Change, 'at' | 'configuration' | 'environmentId' | 'state' | 'wayBack'>
  readonly onKey: (key: string) => void
}

/** Lists the changed keys of a version, each with its old and its new value and its undo, and counts the others. */
export function KeyChanges({ version, onKey }: KeyChangesProps) {
  const { changes = [], total = 0 } = version.configuration ?? {}
  const first = changes.slice(0, keysShown)
  if (first.length === 0) return null
  const more = total - first.length
  const segments = new Set(changes.flatMap((change) => change.segments ?? []))
  return (
    <ul aria-label="Changed keys" className="flex min-w-0 flex-col gap-0.5 text-sm">
      {first.map((change) => (
        <KeyLine key={change.key} change={change} onKey={onKey}>
          {total > 1 && <UndoKey version={version} name={change.key} />}
        </KeyLine>
      ))}
      {[...segments].map((name) => (
        <li key={`segment ${name}`}>
          <SegmentChange name={name} at={version.at} isInTitle={version.state === 'segment'} />
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

interface UndoKeyProps extends Pick<KeyChangesProps, 'version'> {
  readonly name: string
}

/** Returns whether the person may write values where a change did. */
export function useMayUndo({
  configuration,
  environmentId,
}: Pick<Change, 'configuration' | 'environmentId'>): boolean {
  const { may } = useOrganization()
  if (configuration === null || environmentId === null) return false
  return may('writeValues', { schemaId: configuration.schemaId, environmentId })
}

/** Lists the kinds of versions that wrote values. Others follow the schema or a parent, where they are undone. */
const writes: ReadonlySet<string> = new Set(['write', 'restore', 'promote'])

/** Opens the restore of one key, which leaves the others as they are. */
export function UndoKey({ version, name }: UndoKeyProps) {
  const { slug } = useOrganization()
  const mayUndo = useMayUndo(version)
  const { configuration, state, wayBack } = version
  if (configuration === null || wayBack?.kind !== 'restore' || !mayUndo) return null
  if (state === null || !writes.has(state)) return null
  const search = {
    schema: configuration.schemaId,
    chosen: [wayBack.versionId],
    keys: [name],
    panel: 'restore',
  } as const
  return (
    <Link
      to="/$org/history"
      params={{ org: slug }}
      search={search}
      aria-label={`Undo… ${name}`}
      className="inline-flex min-h-7 items-center"
    >
      Undo…
    </Link>
  )
}

interface KeyButtonProps {
  readonly name: string
  readonly onKey: (key: string) => void
}

/** Renders the name of a key, which filters the list by it. */
export function KeyButton({ name, onKey }: KeyButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Only changes of ${name}`}
      title={`Only changes of ${name}`}
      className="min-h-7 min-w-7 text-left font-mono wrap-anywhere hover:underline"
      onClick={() => onKey(name)}
    >
      {name}
    </button>
  )
}

interface KeyLineProps {
  readonly change: Configuration['changes'][number]
  readonly onKey: (key: string) => void
  readonly children: ReactNode
}

/** Renders a changed key, whose name filters the list, with its old and its new value. */
function KeyLine({ change, onKey, children }: KeyLineProps) {
  const { before, after, note } = describeKeyChange(change)
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <KeyButton name={change.key} onKey={onKey} />
      {before !== undefined && after !== undefined && (
        <span className="min-w-0 font-mono wrap-anywhere">
          {before}{' '}
          <ArrowRight role="img" aria-label="is now" size={12} className="inline text-muted" />{' '}
          {after}
        </span>
      )}
      {note !== undefined && <span className="min-w-0 text-muted">{note}</span>}
      {children}
    </li>
  )
}
