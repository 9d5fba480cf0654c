import { DispatchesPanel } from './dispatches-panel.tsx'
import { EnvironmentMapPanel } from './environment-map-panel.tsx'
import { RepositoriesPanel } from './repositories-panel.tsx'
import { TestWorkflowsPanel } from './test-workflows-panel.tsx'
import { WorkflowsPanel } from './workflows-panel.tsx'
import type { Codehost } from './codehost.ts'

/** Shows the tracked repositories, the environment map, and the test workflows. */
export function CodehostSettings({ status }: { readonly status: Codehost }) {
  return (
    <>
      <RepositoriesPanel
        repositories={status.repositories}
        accountUrl={status.account?.url ?? null}
      />
      <EnvironmentMapPanel status={status} />
      <TestWorkflowsPanel status={status} />
      <WorkflowsPanel status={status} />
      <DispatchesPanel />
    </>
  )
}
