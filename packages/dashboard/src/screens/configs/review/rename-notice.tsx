import { useList } from '../../../api/use-api.ts'
import { Age } from '../../../components/time.tsx'
import { findRecentReaders, type ReadThing } from './recent-readers.ts'

interface RenameNoticeProps {
  /** Describes what may be renamed, as it is stored. `undefined`: it is new. */
  readonly saved: { readonly id: string; readonly name: string } | undefined
  /** Holds the name in the dialog. */
  readonly name: string
  readonly toThing: (id: string) => ReadThing
}

const shownKeys = 5

/** Says who stops finding what is renamed: programs and commands read by name, and the name ends at once. */
export function RenameNotice({ saved, name, toThing }: RenameNoticeProps) {
  if (saved === undefined || saved.name === name) return null
  return <FormerReaders from={saved.name} thing={toThing(saved.id)} />
}

function FormerReaders({ from, thing }: Readonly<{ from: string; thing: ReadThing }>) {
  const { data: keys } = useList('GET /organizations/{org_id}/api-keys', { query: { limit: 100 } })
  const readers = findRecentReaders(keys ?? [], thing, Date.now())
  const more = readers.length - shownKeys
  return (
    <div role="status" className="flex flex-col gap-1 text-sm">
      <p>
        Programs, command lines and pipelines that read <strong>{from}</strong> by this name stop
        finding it as soon as you save. Change the name there, or read it by its id, which stays.
      </p>
      {keys !== undefined && readers.length === 0 && (
        <p>No API key that may read it was used in the last 30 days.</p>
      )}
      {readers.length > 0 && (
        <>
          <p>These API keys may read it, and were used in the last 30 days:</p>
          <ul aria-label="Recent readers" className="list-disc ps-5">
            {readers.slice(0, shownKeys).map(({ id, name, lastUsedAt }) => (
              <li key={id} className="wrap-anywhere">
                {name}, <Age at={lastUsedAt} />
              </li>
            ))}
            {more > 0 && <li>and {more} more</li>}
          </ul>
        </>
      )}
    </div>
  )
}
