import { describeSegment } from '@signalbox/contract'
import { ArrowRight } from 'lucide-react'
import { PageLink } from '../../../session/page-link.tsx'
import { findVersionAt } from './find-version-at.ts'
import { useSegmentVersions } from './use-segment-versions.ts'

interface SegmentChangeProps {
  readonly name: string
  /** Holds the moment of the change. */
  readonly at: string
  /** Says whether the title above names the change already. Default false. */
  readonly isInTitle?: boolean
}

/** Renders a change of a segment in words: who was in it, and who is. It links to the versions of the segment. */
export function SegmentChange({ name, at, isInTitle = false }: SegmentChangeProps) {
  const { data = [] } = useSegmentVersions(name)
  const { before, after } = findVersionAt(data, at)
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
      <PageLink
        to={{ page: 'segments', search: { segment: name } }}
        className="inline-flex min-h-7 items-center"
      >
        {isInTitle ? name : `Segment ${name} changed`}
      </PageLink>
      {before !== undefined && after !== undefined && (
        <span className="min-w-0 wrap-anywhere">
          {describeSegment(before.anyOf)}{' '}
          <ArrowRight role="img" aria-label="is now" size={12} className="inline text-muted" />{' '}
          {describeSegment(after.anyOf)}
        </span>
      )}
    </span>
  )
}
