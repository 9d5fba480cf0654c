import { useRead } from '../../api/use-api.ts'
import type { Environment } from '../../configs/environments.ts'
import { ChangeList } from '../../configs/review/change-list.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/code.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { useOrganization } from '../../shell/organization.ts'

interface VersionDrawerProps {
  readonly versionId: string
  readonly against: string | undefined
  readonly environments: readonly Environment[]
  readonly onRestore: (versionId: string) => void
  readonly onClose: () => void
}

/** What a version changed, or how it differs from another one. */
export function VersionDrawer(props: VersionDrawerProps) {
  const { versionId, against, environments, onRestore, onClose } = props
  const { params, can } = useOrganization()
  const version = useRead('GET /organizations/{org_id}/config-versions/{version_id}', {
    params: { ...params, version_id: versionId },
    query: { against },
  })
  const nameOf = (id: string) => environments.find((one) => one.id === id)?.name ?? 'deleted'
  return (
    <Dialog
      shape="drawer"
      title={against === undefined ? 'What was changed' : 'Compare two versions'}
      onClose={onClose}
    >
      <Loaded query={version}>
        {(shown) => (
          <>
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0 font-semibold wrap-anywhere">
                {nameOf(shown.environmentId)} v{shown.version}
              </span>
              <span className="min-w-0 wrap-anywhere text-muted">
                by {shown.author.name} <Age at={shown.createdAt} />
              </span>
              <CopyButton text={location.href} label="Copy the address of this view" />
            </p>
            {shown.comment !== null && (
              <div className="break-words">
                <LongText text={shown.comment} />
              </div>
            )}
            {against !== undefined && <Against versionId={against} nameOf={nameOf} />}
            <ChangeList
              label="Changes"
              changes={shown.changes}
              empty="Nothing differs in what clients receive."
            />
            {can('developer') && (
              <DialogActions>
                <Button onClick={() => onRestore(shown.id)}>Restore v{shown.version}…</Button>
              </DialogActions>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

interface AgainstProps {
  readonly versionId: string
  readonly nameOf: (environmentId: string) => string
}

function Against({ versionId, nameOf }: AgainstProps) {
  const { params } = useOrganization()
  const { data } = useRead('GET /organizations/{org_id}/config-versions/{version_id}', {
    params: { ...params, version_id: versionId },
  })
  if (data === undefined) return null
  return (
    <p className="wrap-anywhere text-muted">
      Compared with {nameOf(data.environmentId)} v{data.version} by {data.author.name}{' '}
      <Age at={data.createdAt} />.
    </p>
  )
}
