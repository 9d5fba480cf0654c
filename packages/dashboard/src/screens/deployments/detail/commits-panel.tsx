import { toTitle } from '../commit-title.ts'
import { Badge } from '../../../components/badge.tsx'
import { Sha } from '../../../components/code.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import { Age } from '../../../components/time.tsx'
import type { Detail } from './detail.ts'

/** Shows the commits since the last successful deployment. */
export function CommitsPanel({ detail: { commits, range } }: { readonly detail: Detail }) {
  if (commits.length === 0) return null
  const total = range?.total ?? commits.length
  return (
    <Panel title="Commits" flush actions={<Badge>{total}</Badge>}>
      <ul className="divide-y divide-line">
        {commits.map((commit) => (
          <li key={commit.sha} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
            <OutsideLink href={commit.url}>
              <Sha sha={commit.sha} />
            </OutsideLink>
            <bdi className="min-w-48 flex-1 break-words">
              {toTitle(commit.message) ?? 'No commit message'}
            </bdi>
            <span className="min-w-0 text-sm text-muted">
              {commit.author !== null && <bdi>{commit.author.name} </bdi>}
              {commit.at !== null && <Age at={commit.at} />}
            </span>
          </li>
        ))}
      </ul>
      {range?.truncated === true && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          {total > commits.length
            ? `Showing ${commits.length} of ${total} commits.`
            : 'The list is incomplete.'}
        </p>
      )}
    </Panel>
  )
}
