import { useNavigate, useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { RunWorkflow } from '../workflows/run-workflow.tsx'
import { SyncButton } from '../sync/sync-button.tsx'
import { SyncProgress } from '../sync/sync-progress.tsx'
import { useSync } from '../sync/use-sync.ts'
import { Button } from '../../../components/button.tsx'
import { Page } from '../../../components/page.tsx'
import { useLack } from '../../../session/use-capability.ts'
import { useOrganization } from '../../../session/organization.ts'
import { DeploymentList } from './deployment-list.tsx'
import { toFilter, type Filter } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import type { DeploymentsSearch } from './search.ts'

/** Shows every deployment by day. */
export function DeploymentsScreen() {
  // The router also passes on values that the reader left out.
  const search = useSearch({ from: '/$org/deployments' })
  const navigate = useNavigate({ from: '/$org/deployments' })
  const { can } = useOrganization()
  const lack = useLack('codehost', 'startWorkflows')
  const change = (changes: Pick<DeploymentsSearch, 'sync' | 'run'>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true })
  const sync = useSync({
    syncId: search.sync,
    onStarted: (syncId) => change({ sync: syncId }),
  })
  const filter = toFilter(search)
  const setFilter = (next: Filter) =>
    void navigate({
      search: ({ sync: current, run }) => ({ ...next, sync: current, run }),
      replace: true,
    })
  return (
    <Page
      title="Deployments"
      actions={
        <>
          <SyncButton control={sync} />
          {can('developer') && lack === undefined && (
            <Button icon={Play} onClick={() => change({ run: true })}>
              Run workflow
            </Button>
          )}
        </>
      }
    >
      <SyncProgress control={sync} onClose={() => change({ sync: undefined })} />
      <FilterBar filter={filter} onChange={setFilter} />
      <DeploymentList
        key={JSON.stringify(filter)}
        filter={filter}
        sync={sync}
        onClear={() => setFilter({})}
      />
      {search.run === true && can('developer') && (
        <RunWorkflow onClose={() => change({ run: undefined })} />
      )}
    </Page>
  )
}
