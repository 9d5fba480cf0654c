import { nameOfRef } from '@signalbox/contract'
import { ExternalLink } from 'lucide-react'
import type { ItemOf } from '../../../api/routes.ts'
import { useList, useRead } from '../../../api/use-api.ts'
import { StateBadge } from '../../deployments/badges.tsx'
import {
  toDispatchVariant,
  describeDispatch,
} from '../../deployments/workflows/describe-dispatch.ts'
import { findWorkflow, nameWorkflow } from '../../deployments/workflows/workflow-inputs.ts'
import { MoreButton } from '../../../components/more-button.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import { Loaded } from '../../../components/states.tsx'
import { Cell, Row, Table } from '../../../components/table.tsx'
import { Age } from '../../../components/time.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'

const route = 'GET /organizations/{org_id}/integrations/codehost/dispatches'

type Dispatch = ItemOf<typeof route>

/** Shows the workflows that were started by hand and test no deployment, with their states. Renders nothing without any. */
export function DispatchesPanel() {
  const dispatches = useList(route)
  const workflows = useRead('GET /organizations/{org_id}/integrations/codehost/workflows')
  const codehost = useRead('GET /organizations/{org_id}/integrations/codehost')
  const all = {
    workflows: workflows.data?.items ?? [],
    repositories: codehost.data?.repositories ?? [],
  }
  const nameOf = ({ workflowId, repositoryId }: Dispatch) => {
    const own = all.workflows.filter((one) => one.repositoryId === repositoryId)
    const workflow = findWorkflow([...own, ...all.workflows], workflowId)
    return workflow === undefined ? workflowId : nameWorkflow(workflow, all)
  }
  return (
    <Loaded query={dispatches} skeleton={null}>
      {(items) =>
        items.length > 0 && (
          <Panel title="Started by hand" flush>
            <Table
              columns={['Workflow', 'State', 'Started', { title: 'Its run', kind: 'actions' }]}
            >
              {items.map((one) => (
                <DispatchRow key={one.id} dispatch={one} name={nameOf(one)} />
              ))}
            </Table>
            <MoreButton list={dispatches} />
          </Panel>
        )
      }
    </Loaded>
  )
}

function DispatchRow({ dispatch, name }: Readonly<{ dispatch: Dispatch; name: string }>) {
  const { ref, state, runUrl, requestedBy, requestedAt } = dispatch
  const host = useProviderName('codehost')
  const isSettled = state === 'sent' || state === 'found'
  return (
    <Row>
      <Cell>
        <div className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </div>
        <div className="text-sm wrap-anywhere text-muted">
          on <bdi className="font-mono">{nameOfRef(ref)}</bdi>
        </div>
      </Cell>
      <Cell>
        <StateBadge variant={toDispatchVariant(dispatch)} />
        {!isSettled && (
          <div className="mt-1 text-sm wrap-anywhere text-muted">
            {describeDispatch(dispatch, host)}
          </div>
        )}
      </Cell>
      <Cell>
        <Age at={requestedAt} />
        <div className="text-sm wrap-anywhere text-muted">
          by <bdi>{requestedBy.name}</bdi>
        </div>
      </Cell>
      <Cell className="text-right">
        {runUrl !== null && (
          <OutsideLink
            href={runUrl}
            className="inline-flex min-h-7 items-center gap-1 whitespace-nowrap"
          >
            Open the run
            <ExternalLink aria-hidden size={13} />
          </OutsideLink>
        )}
      </Cell>
    </Row>
  )
}
