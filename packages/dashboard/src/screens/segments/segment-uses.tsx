import { Link } from '@tanstack/react-router'
import type { Segment } from '../configs/segments/use-segments.ts'
import { useOrganization } from '../../session/organization.ts'

/** Lists the flags that use a segment, each with a link to its rules in the environment that sets them. */
export function SegmentUses({ segment: { uses, usesTotal } }: { readonly segment: Segment }) {
  const { slug } = useOrganization()
  const more = usesTotal - uses.length
  return (
    <ul aria-label="Flags" className="divide-y divide-line rounded-lg border border-line">
      {uses.map(({ schemaId, schema, environmentId, environment, flag }) => (
        <li
          key={`${schemaId} ${environmentId} ${flag}`}
          className="flex min-h-9 flex-wrap items-center gap-x-3 px-3 py-1"
        >
          <Link
            to="/$org/flags"
            params={{ org: slug }}
            search={{ schema: schemaId, panel: 'rules', key: flag, from: environment }}
            className="inline-flex min-h-7 min-w-0 items-center font-mono wrap-anywhere"
          >
            {flag}
          </Link>
          <span className="min-w-0 wrap-anywhere text-muted">
            in {environment} ({schema})
          </span>
        </li>
      ))}
      {more > 0 && <li className="px-3 py-2 text-muted">and {more} more</li>}
    </ul>
  )
}
