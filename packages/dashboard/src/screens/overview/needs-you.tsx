import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowRight, CircleCheck, TriangleAlert, X } from 'lucide-react'
import type { AnswerOf } from '../../api/routes.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Panel } from '../../components/panel.tsx'
import { PathLink } from '../../session/path-link.tsx'
import { Age } from '../../components/time.tsx'

type Attention = AnswerOf<'GET /organizations/{org_id}/overview'>['needsYou'][number]

/** Limits the first entries, so that the set-up and the environments stay visible. */
const shownAtFirst = 6

/** Shows the problems that wait for a person, worst first, each with a link to its solution. */
export function NeedsYou({ items }: { readonly items: readonly Attention[] }) {
  const { all: isOpen = false, ...others } = useSearch({ from: '/$org/' })
  const navigate = useNavigate({ from: '/$org/' })
  const showOrHide = () =>
    void navigate({ search: isOpen ? others : { ...others, all: true }, replace: true })
  const hidden = items.length - shownAtFirst
  return (
    <Panel
      title="Needs attention"
      flush
      actions={items.length > 0 && <Badge tone="warn">{items.length}</Badge>}
    >
      {items.length === 0 ? (
        <p className="flex items-center gap-2 p-4 text-muted">
          <CircleCheck aria-hidden size={16} className="text-ok" />
          Nothing needs your attention.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {items.slice(0, isOpen ? undefined : shownAtFirst).map((item) => (
            <AttentionRow key={`${item.code} ${item.subjectId} ${item.title}`} item={item} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <div className="flex justify-center border-t border-line p-2">
          <Button variant="quiet" aria-expanded={isOpen} onClick={showOrHide}>
            {isOpen ? 'Show fewer' : `Show ${hidden} more`}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function AttentionRow({
  item: { severity, title, detail, at, next, around },
}: {
  readonly item: Attention
}) {
  const isError = severity === 'error'
  return (
    <li className="flex flex-col gap-1 px-4 py-2.5">
      <p className="font-medium break-words">
        <bdi>{title}</bdi>
      </p>
      <p className="text-sm break-words text-muted">
        <LongText text={detail} />
        {at !== null && (
          <span className="ml-1.5">
            <Age at={at} />
          </span>
        )}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Badge tone={isError ? 'bad' : 'warn'} icon={isError ? X : TriangleAlert}>
          {isError ? 'Error' : 'Warning'}
        </Badge>
        <span className="flex flex-wrap gap-x-1">
          {around !== null && (
            <PathLink path={around.href} className={buttonClass('quiet')}>
              {around.label}
            </PathLink>
          )}
          <PathLink path={next.href} className={buttonClass('quiet')}>
            {next.label}
            <ArrowRight aria-hidden size={14} />
          </PathLink>
        </span>
      </div>
    </li>
  )
}
