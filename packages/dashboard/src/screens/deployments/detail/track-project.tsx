import { useRead, useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { showRejection } from '../../../components/show-rejection.ts'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'

/** Adds a project to those whose issues count. */
export function TrackProject({ projectKey }: { readonly projectKey: string }) {
  const { params, can } = useOrganization()
  const tracker = useRead('GET /organizations/{org_id}/integrations/tracker', { params })
  const update = useWrite('PATCH /organizations/{org_id}/integrations/tracker')
  const tracked = tracker.data?.projectKeys ?? []
  if (!can('admin')) {
    return (
      <Button disabled title="Ask an admin to choose the projects.">
        Track {projectKey}
      </Button>
    )
  }
  const track = () =>
    update.mutate(
      { params, body: { projectKeys: [...new Set([...tracked, projectKey])] } },
      {
        onSuccess: () =>
          showToast({
            text: `Signalbox now tracks issues of ${projectKey}.`,
            action: {
              label: 'Undo',
              onSelect: () =>
                update.mutate(
                  { params, body: { projectKeys: [...tracked] } },
                  { onError: (problem) => showRejection('undo it', problem) },
                ),
            },
          }),
        onError: (problem) => showRejection(`track ${projectKey}`, problem),
      },
    )
  return (
    <Button pending={update.isPending} disabled={tracker.data === undefined} onClick={track}>
      Track {projectKey}
    </Button>
  )
}
