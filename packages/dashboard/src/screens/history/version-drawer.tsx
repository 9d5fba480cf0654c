import { useList, useRead } from '../../api/use-api.ts'
import type { AnswerOf } from '../../api/routes.ts'
import type { Environment } from '../configs/environments.ts'
import { ChangeList } from '../configs/review/change-list.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/code.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Loaded } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ProofWithReadings } from '../proofs/proof-link.tsx'

interface VersionDrawerProps {
  readonly versionId: string
  readonly against: string | undefined
  readonly environments: readonly Environment[]
  /** Opens the restore of a version: of all its values, or of these keys. */
  readonly onRestore: (versionId: string, keys?: readonly string[]) => void
  readonly onClose: () => void
}

/** Shows the changes of a version, or its differences from another one. */
export function VersionDrawer(props: VersionDrawerProps) {
  const { versionId, against, environments, onRestore, onClose } = props
  const { may } = useOrganization()
  const version = useRead('GET /organizations/{org_id}/config-versions/{version_id}', {
    params: { version_id: versionId },
    query: { against },
  })
  const nameOf = (id: string) => environments.find((one) => one.id === id)?.name ?? 'deleted'
  return (
    <Dialog
      shape="drawer"
      title={against === undefined ? 'Changes of this version' : 'Compare two versions'}
      onClose={onClose}
    >
      <Loaded query={version}>
        {(version) => (
          <>
            <VersionHeading version={version} environment={nameOf(version.environmentId)} />
            {against !== undefined && <ComparedVersion versionId={against} nameOf={nameOf} />}
            <VersionChanges
              version={version}
              isCompared={against !== undefined}
              onRestore={onRestore}
            />
            {may('writeValues', version) && (
              <WaysBack
                version={version}
                isCompared={against !== undefined}
                onRestore={onRestore}
              />
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

type Version = AnswerOf<'GET /organizations/{org_id}/config-versions/{version_id}'>

interface VersionHeadingProps {
  readonly version: Version
  /** Names the environment of the version. */
  readonly environment: string
}

/** Renders which version this is, its author, the author's comment, and how it is proven. */
function VersionHeading({ version, environment }: VersionHeadingProps) {
  const proofs = useList('GET /organizations/{org_id}/proofs', { query: { version: version.id } })
  const proof = proofs.data?.find(({ subject }) => subject.versionId === version.id)
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="min-w-0 font-semibold wrap-anywhere">
          {environment} v{version.version}
        </span>
        <span className="min-w-0 wrap-anywhere text-muted">
          by {version.author.name} <Age at={version.createdAt} />
        </span>
        <CopyButton text={location.href} label="Copy the address of this view" />
      </p>
      {proof && <ProofWithReadings proof={proof} />}
      {version.comment !== null && (
        <div className="break-words">
          <LongText text={version.comment} />
        </div>
      )}
    </>
  )
}

interface VersionActionsProps extends Pick<VersionDrawerProps, 'onRestore'> {
  readonly version: Version
  readonly isCompared: boolean
}

/** Lists the changes of a version. Where it has several, each can be undone alone. */
function VersionChanges({ version, isCompared, onRestore }: VersionActionsProps) {
  const { may } = useOrganization()
  const { against, changes } = version
  const hasUndo = may('writeValues', version) && !isCompared && changes.length > 1
  return (
    <ChangeList
      label="Changes"
      changes={changes}
      at={version.createdAt}
      empty="No change for clients."
      {...(hasUndo &&
        against !== null && {
          actionOf: ({ key }) => (
            <Button variant="quiet" onClick={() => onRestore(against, [key])}>
              <span className="min-w-0 wrap-anywhere">Undo only {key}</span>
            </Button>
          ),
        })}
    />
  )
}

/** Offers to undo a version, which leaves later changes of other keys alone, and to restore it as a whole. */
function WaysBack({ version, isCompared, onRestore }: VersionActionsProps) {
  const { schemaId, environmentId, against, changes } = version
  const newest = useList('GET /organizations/{org_id}/config-versions', {
    query: { schemaId, environmentId, limit: 1 },
  })
  const current = newest.data?.[0]
  const isCurrent = current?.id === version.id
  // The way back of a segment is in its own versions: the rules that refer to it stay as they are.
  const keys = changes.flatMap(({ key, segments }) => (segments === undefined ? [key] : []))
  return (
    <DialogActions>
      {isCurrent && (
        <span className="mr-auto self-center text-sm text-muted">This version is current.</span>
      )}
      <Button disabled={current === undefined || isCurrent} onClick={() => onRestore(version.id)}>
        Restore v{version.version}…
      </Button>
      {!isCompared && against !== null && keys.length > 0 && (
        <Button variant="primary" onClick={() => onRestore(against, keys)}>
          Undo this change…
        </Button>
      )}
    </DialogActions>
  )
}

interface AgainstProps {
  readonly versionId: string
  readonly nameOf: (environmentId: string) => string
}

function ComparedVersion({ versionId, nameOf }: AgainstProps) {
  const { data } = useRead('GET /organizations/{org_id}/config-versions/{version_id}', {
    params: { version_id: versionId },
  })
  if (data === undefined) return null
  return (
    <p className="wrap-anywhere text-muted">
      Compared with {nameOf(data.environmentId)} v{data.version} by {data.author.name}{' '}
      <Age at={data.createdAt} />.
    </p>
  )
}
