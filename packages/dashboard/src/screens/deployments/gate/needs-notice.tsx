import { PageLink } from '../../../session/page-link.tsx'
import { describeNeeds, type Needed } from './describe-needs.ts'

interface NeedsNoticeProps {
  /** `null`: no definition of its commit was uploaded. */
  readonly needed: Needed | null
  readonly environment: string
}

/** Says above a deployment what its environment lacks, with a link to where it is set. Nothing where nothing is missing. */
export function NeedsNotice({ needed, environment }: NeedsNoticeProps) {
  const sentence = needed === null ? '' : describeNeeds(needed, environment)
  if (needed === null || sentence === '') return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-warn-ground px-3 py-2 text-warn">
      <p className="min-w-0 wrap-anywhere">{sentence}</p>
      <PageLink to={{ page: 'check', params: { checkId: needed.checkId } }}>
        Set the values
      </PageLink>
    </div>
  )
}
