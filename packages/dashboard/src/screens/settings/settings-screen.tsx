import { Page } from '../../components/page.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useMe } from '../../session/session.ts'
import { DangerPanel } from './danger-panel.tsx'
import { NamePanel } from './name-panel.tsx'
import { ServerFailedJobsPanel } from '../failed-jobs/server-failed-jobs-panel.tsx'
import { ServerPanel } from './server-panel.tsx'

/** Shows the settings of the organization, and the state of the server for its operator. */
export function SettingsScreen() {
  const { can } = useOrganization()
  const isOperator = useMe().data?.isOperator === true
  return (
    <Page title="Settings">
      <NamePanel />
      {isOperator && <ServerPanel />}
      {isOperator && <ServerFailedJobsPanel />}
      {can('owner') && <DangerPanel />}
    </Page>
  )
}
