import { describeSegmentGroup } from '@signalbox/contract'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { LongText } from '../../components/long-text.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Loaded } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { everywhere, useOrganization } from '../../session/organization.ts'
import { GroupsDiff } from '../configs/segments/groups-diff.tsx'
import type { Segment } from '../configs/segments/use-segments.ts'
import { SegmentUses } from './segment-uses.tsx'
import {
  useSegmentVersions,
  type SegmentVersion,
} from '../configs/segments/use-segment-versions.ts'

interface SegmentDrawerProps {
  readonly segment: Segment
  readonly onPanel: (panel: 'edit' | 'delete') => void
  readonly onRestore: (version: number) => void
  readonly onClose: () => void
}

/** Renders a segment: who is in it, the flags that use it, and its versions. */
export function SegmentDrawer({ segment, onPanel, onRestore, onClose }: SegmentDrawerProps) {
  const { may } = useOrganization()
  const { name, description, anyOf } = segment
  return (
    <Dialog
      shape="drawer"
      title={name}
      description={description === '' ? undefined : <LongText text={description} />}
      onClose={onClose}
    >
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">Who is in it</h3>
        <Groups groups={anyOf} />
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">Used by</h3>
        {segment.usesTotal === 0 ? (
          <p className="text-muted">
            No flag yet. Open a flag, add a rule, and press <em>Add segment</em>.
          </p>
        ) : (
          <SegmentUses segment={segment} />
        )}
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">Versions</h3>
        <Versions segment={segment} onRestore={onRestore} />
      </section>
      <DialogActions>
        {may('deleteConfig', everywhere) && (
          <Button variant="danger" onClick={() => onPanel('delete')}>
            Delete segment
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
        {may('writeValues', everywhere) && (
          <Button variant="primary" onClick={() => onPanel('edit')}>
            Edit segment
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** Lists the groups of a segment in words. */
function Groups({ groups }: { readonly groups: Segment['anyOf'] }) {
  return (
    <ul aria-label="Groups" className="divide-y divide-line rounded-lg border border-line">
      {groups.map((group, index) => (
        <li key={`${index} ${describeSegmentGroup(group)}`} className="px-3 py-2 wrap-anywhere">
          {index > 0 && <span className="text-muted">or </span>}
          <LongText text={describeSegmentGroup(group)} />
        </li>
      ))}
    </ul>
  )
}

interface VersionsProps {
  readonly segment: Segment
  readonly onRestore: (version: number) => void
}

/** Lists the versions of a segment, newest first, each with what it changed and the way back to it. */
function Versions({ segment, onRestore }: VersionsProps) {
  const versions = useSegmentVersions(segment.name)
  return (
    <Loaded query={versions}>
      {(all) => (
        <div className="rounded-lg border border-line">
          <ol aria-label="Versions" className="divide-y divide-line">
            {all.map((version, index) => (
              <VersionItem
                key={version.version}
                version={version}
                before={all[index + 1]}
                isCurrent={version.version === segment.version}
                onRestore={onRestore}
              />
            ))}
          </ol>
          <MoreButton list={versions} />
        </div>
      )}
    </Loaded>
  )
}

interface VersionItemProps {
  readonly version: SegmentVersion
  /** Holds the version before. Absent: it is the first, or not loaded. */
  readonly before: SegmentVersion | undefined
  readonly isCurrent: boolean
  readonly onRestore: (version: number) => void
}

function VersionItem({ version, before, isCurrent, onRestore }: VersionItemProps) {
  const { may } = useOrganization()
  const { version: number, author, comment, createdAt, anyOf } = version
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex min-h-8 flex-wrap items-center gap-x-2">
        <span className="font-medium">Version {number}</span>
        <span className="min-w-0 wrap-anywhere text-muted">
          by {author.name} <Age at={createdAt} />
        </span>
        {isCurrent && <Badge>current</Badge>}
        {!isCurrent && may('writeValues', everywhere) && (
          <span className="ml-auto">
            <Button variant="quiet" onClick={() => onRestore(number)}>
              Restore version {number}…
            </Button>
          </span>
        )}
      </div>
      {comment !== null && (
        <p className="wrap-anywhere text-muted">
          “<LongText text={comment} />”
        </p>
      )}
      {before !== undefined && before.description !== version.description && (
        <p className="text-sm text-muted">Description changed</p>
      )}
      {(before !== undefined || number === 1) && (
        <GroupsDiff before={before?.anyOf ?? []} after={anyOf} />
      )}
    </li>
  )
}
