import { useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { explainLack, useLack } from '../../../session/use-capability.ts'
import { describeIssueSync } from '../../deployments/sync/describe-sync.ts'
import { SyncLine } from '../../deployments/sync/sync-line.tsx'
import { useIssueSync } from '../../deployments/sync/use-sync.ts'

const from = '/$org/integrations/$kind'

/** Says when issues are read, and reads them now. `tracker`: the name of the provider. */
export function IssuesPanel({ tracker }: { readonly tracker: string }) {
  const { can } = useOrganization()
  const { sync: syncId } = useSearch({ from })
  const navigate = useNavigate({ from })
  const follow = (sync: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, sync }), replace: true })
  const { sync, problem, isPending, start } = useIssueSync({ syncId, onStarted: follow })
  const lack = useLack('tracker', 'readIssues')
  const maySync = can('developer') && lack === undefined
  return (
    <Panel
      title="Issues"
      actions={
        maySync && (
          <Button icon={RefreshCw} pending={isPending} onClick={start}>
            Sync now
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <p className="max-w-2xl text-muted">
          {lack === undefined
            ? `Signalbox reads an issue from ${tracker} when a deployment names it, and again every six hours.`
            : explainLack(lack)}
          {maySync && ' Sync now to read the issues of recent deployments immediately.'}
        </p>
        <FormProblem problem={problem} />
        {sync !== undefined && (
          <SyncLine
            state={sync.state}
            sentence={describeIssueSync(sync, tracker)}
            parts={[{ name: 'Issues', ...sync.issues }]}
            onClose={() => follow(undefined)}
          />
        )}
      </div>
    </Panel>
  )
}
