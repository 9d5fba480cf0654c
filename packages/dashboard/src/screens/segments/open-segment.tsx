import { useMemo, type ReactNode } from 'react'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Loaded, Skeleton } from '../../components/states.tsx'
import { everywhere, useOrganization } from '../../session/organization.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { SegmentEditor } from '../configs/segments/segment-editor.tsx'
import { SegmentReview } from '../configs/segments/segment-review.tsx'
import type { Segment } from '../configs/segments/use-segments.ts'
import {
  useSegmentVersions,
  type SegmentVersion,
} from '../configs/segments/use-segment-versions.ts'
import type { SegmentsSearch } from './search.ts'
import { SegmentDrawer } from './segment-drawer.tsx'
import { SegmentUses } from './segment-uses.tsx'

interface OpenSegmentProps {
  readonly name: string
  readonly search: SegmentsSearch
  readonly onSearch: (search: SegmentsSearch) => void
}

/** Renders the drawer or the dialog about one segment that the address names. */
export function OpenSegment({ name, search, onSearch }: OpenSegmentProps) {
  const { may } = useOrganization()
  const segment = useRead('GET /organizations/{org_id}/segments/{segment}', {
    params: { segment: name },
  })
  const close = () => onSearch({})
  const show = () => onSearch({ segment: name })
  const frame = (instead: ReactNode) => (
    <Dialog shape="drawer" title={name} onClose={close}>
      {instead}
    </Dialog>
  )
  return (
    <Loaded query={segment} around={frame}>
      {(current) => {
        if (search.panel === 'edit' && may('writeValues', everywhere)) {
          return <SegmentEditor segment={current} onSaved={show} onClose={show} />
        }
        if (search.panel === 'restore' && may('writeValues', everywhere)) {
          return <RestoreSegment segment={current} version={search.version} onDone={show} />
        }
        if (search.panel === 'delete' && may('deleteConfig', everywhere)) {
          return <DeleteSegment segment={current} onDeleted={close} onClose={show} />
        }
        return (
          <SegmentDrawer
            segment={current}
            onPanel={(panel) => onSearch({ segment: name, panel })}
            onRestore={(version) => onSearch({ segment: name, panel: 'restore', version })}
            onClose={close}
          />
        )
      }}
    </Loaded>
  )
}

interface RestoreSegmentProps {
  readonly segment: Segment
  /** Holds the version to restore. */
  readonly version: number | undefined
  readonly onDone: () => void
}

/** Restores the groups of an earlier version as a new one, after a review of every flag that changes with them. */
function RestoreSegment({ segment, version, onDone }: RestoreSegmentProps) {
  const versions = useSegmentVersions(segment.name)
  const restored = versions.data?.find((one) => one.version === version)
  return (
    <Dialog
      shape="drawer"
      title={`Restore version ${version ?? ''} of ${segment.name}`}
      description="Its groups are saved as a new version. No history is lost."
      onClose={onDone}
    >
      <Loaded query={versions}>
        {() =>
          restored === undefined ? (
            <MissingVersion isLoading={versions.hasNextPage || versions.isFetching} />
          ) : (
            <Restore segment={segment} version={restored} onDone={onDone} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

function MissingVersion({ isLoading }: { readonly isLoading: boolean }) {
  return isLoading ? (
    <Skeleton />
  ) : (
    <p className="text-muted">This version doesn’t exist or is no longer kept.</p>
  )
}

interface RestoreProps {
  readonly segment: Segment
  readonly version: SegmentVersion
  readonly onDone: () => void
}

function Restore({ segment, version: { version, anyOf }, onDone }: RestoreProps) {
  const change = useMemo(() => ({ anyOf }), [anyOf])
  return (
    <SegmentReview
      segment={segment}
      change={change}
      back="Cancel"
      action="Restore"
      done={`Restored version ${version} of ${segment.name}`}
      onBack={onDone}
      onSaved={onDone}
    />
  )
}

interface DeleteSegmentProps {
  readonly segment: Segment
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes a segment after its name was typed. One that flags use stays: their rules are listed instead. */
function DeleteSegment({ segment, onDeleted, onClose }: DeleteSegmentProps) {
  const { name, version, usesTotal } = segment
  const remove = useWrite('DELETE /organizations/{org_id}/segments/{segment}')
  if (usesTotal > 0) {
    return (
      <Dialog
        title={`${name} is in use`}
        description="These flags use it in their rules. Remove it from the rules first, then delete it."
        onClose={onClose}
      >
        <SegmentUses segment={segment} />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            Back
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete segment"
      typed={name}
      write={remove}
      onConfirm={() =>
        remove.mutate({
          params: { segment: name },
          ifMatch: version,
          onSuccess: () => {
            showToast({ text: `${name} was deleted.` })
            onDeleted()
          },
        })
      }
      onClose={onClose}
    >
      <p>No flag uses it. This deletes its groups and versions permanently.</p>
    </ConfirmDialog>
  )
}
