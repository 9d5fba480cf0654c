import { Page } from '../../parts/page.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { useMe } from '../../shell/session.ts'
import { DangerPanel } from './danger-panel.tsx'
import { NamePanel } from './name-panel.tsx'
import { ServerDeadJobsPanel } from './server-dead-jobs-panel.tsx'
import { ServerPanel } from './server-panel.tsx'

/** What belongs to the organization itself, and how the server is for who runs it. */
export function SettingsScreen() {
  const { can } = useOrganization()
  const isOperator = useMe().data?.isOperator === true
  return (
    <Page title="Settings">
      <NamePanel />
      {isOperator && <ServerPanel />}
      {isOperator && <ServerDeadJobsPanel />}
      {can('owner') && <DangerPanel />}
    </Page>
  )
}
