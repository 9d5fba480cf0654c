import { useCallback, useState } from 'react'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/use-api.ts'
import { toAskedOf, type Environment } from '../../configs/environments.ts'
import { ChangeList } from '../../configs/review/change-list.tsx'
import { ConsentFields, isConsented, nothingTyped } from '../../configs/review/consent-fields.tsx'
import { toBody } from '../../configs/use-save.ts'
import { usePreview } from '../../configs/use-preview.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { FormProblem, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useOrganization } from '../../shell/organization.ts'

interface RestoreDrawerProps {
  readonly versionIds: readonly string[]
  readonly environments: readonly Environment[]
  readonly onDone: () => void
  readonly onClose: () => void
}

const wordsOf = (count: number) =>
  count === 1
    ? {
        title: 'Restore a version',
        description: 'Its values are saved as a new version. No history is lost.',
      }
    : {
        title: `Restore ${count} versions`,
        description: 'Their values are saved as new versions. No history is lost.',
      }

/** Makes versions current again, after showing what that changes. Each becomes a new version; none is lost. */
export function RestoreDrawer({ versionIds, environments, onDone, onClose }: RestoreDrawerProps) {
  const { id: orgId, params } = useOrganization()
  const [typed, setTyped] = useState(nothingTyped)
  const [force, setForce] = useState(false)
  const restore = useWrite('POST /organizations/{org_id}/config-versions/restore')
  const ids = versionIds.join()
  const preview = usePreview(
    useCallback(
      (signal: AbortSignal) => {
        const restores = ids.split(',').map((versionId) => ({ versionId }))
        const body = { restores, dryRun: true, ...(force && { force }) }
        const request = { params: { org_id: orgId }, body }
        return call('POST /organizations/{org_id}/config-versions/restore', request, signal)
      },
      [ids, force, orgId],
    ),
  )
  const affected = (preview.answer?.environments ?? []).flatMap(({ environmentId, changes }) => {
    const environment = environments.find(({ id }) => id === environmentId)
    return environment ? [{ environment, changes }] : []
  })
  const asked = toAskedOf(affected.map(({ environment }) => environment))
  const isReady = preview.answer !== undefined && isConsented(asked, typed)

  const submit = () => {
    if (!isReady || restore.isPending) return
    const restores = versionIds.map((versionId) => ({ versionId }))
    const consent = toBody({ confirm: asked.names, comment: typed.comment })
    restore.mutate(
      { params, body: { restores, ...consent, ...(force && { force }) } },
      {
        onSuccess: () => {
          showToast({ text: 'Restored, as a new version.' })
          onDone()
        },
      },
    )
  }
  return (
    <Dialog shape="drawer" {...wordsOf(versionIds.length)} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {preview.answer === undefined && preview.problem === undefined && <Skeleton />}
        {affected.map(({ environment, changes }) => (
          <section key={environment.id} className="flex flex-col gap-2">
            <h3 className="font-semibold">{environment.name}</h3>
            <ChangeList
              label={`Changes in ${environment.name}`}
              changes={changes}
              empty="Clients receive the same as now."
            />
          </section>
        ))}
        <FormProblem problem={restore.error ?? preview.problem ?? null} />
        {(force || preview.problem?.code === 'breaking_change') && (
          <Checkbox
            label="Publish what was a secret then"
            hint="Its value becomes readable in browsers, as the key is today."
            checked={force}
            onChange={({ target }) => setForce(target.checked)}
          />
        )}
        <ConsentFields asked={asked} typed={typed} onTyped={setTyped} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={restore.isPending} disabled={!isReady}>
            Restore
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
