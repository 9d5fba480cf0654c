import { OutsideLink } from '../../../components/outside-link.tsx'
import type { MatrixKey } from '../matrix.ts'
import { describeNotes } from './describe-notes.ts'

/** Renders the notes about a key in one line, where it has any. */
export function NoteList({ row }: { readonly row: MatrixKey }) {
  const notes = describeNotes(row)
  if (notes.length === 0) return null
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {notes.map(({ name, text, isBad }) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="shrink-0 text-muted">{name}</dt>
          <dd className={`min-w-0 wrap-anywhere ${isBad ? 'text-warn' : ''}`}>
            {name === 'Runbook' ? (
              <OutsideLink href={text}>
                <bdi>{text}</bdi>
              </OutsideLink>
            ) : (
              <bdi>{text}</bdi>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
