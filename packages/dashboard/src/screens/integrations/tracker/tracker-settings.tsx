import type { AnswerOf } from '../../../api/routes.ts'
import { useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { isUsable } from '../integration.ts'
import { IssuesPanel } from './issues-panel.tsx'
import { ProjectsPanel } from './projects-panel.tsx'

type Tracker = AnswerOf<'GET /organizations/{org_id}/integrations/tracker'>

/** Shows the site of the tracker, and the projects whose issues count. */
export function TrackerSettings({ status }: { readonly status: Tracker }) {
  const { site, sites, projectKeys, state, displayName } = status
  if (site === null) return <SitePanel sites={sites} />
  return (
    <>
      {isUsable(state) && <IssuesPanel tracker={displayName} />}
      <ProjectsPanel projectKeys={projectKeys} />
    </>
  )
}

/** Renders the choice of a site, when the grant reaches several. */
function SitePanel({ sites }: { readonly sites: Tracker['sites'] }) {
  const { params, can } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/integrations/tracker')
  return (
    <Panel title="Choose the site">
      <FormProblem problem={update.error} />
      <ul className="flex flex-col gap-2">
        {sites.map(({ id, name, url }) => (
          <li key={id} className="flex items-center justify-between gap-4">
            <span className="min-w-0 break-words">
              <span className="font-medium">{name}</span> <span className="text-muted">{url}</span>
            </span>
            <Button
              disabled={!can('admin')}
              pending={update.isPending}
              onClick={() => update.mutate({ params, body: { siteId: id } })}
            >
              Use it
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
