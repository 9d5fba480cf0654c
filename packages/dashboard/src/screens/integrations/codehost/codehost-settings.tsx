import { useList, useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { Badge } from '../../../components/badge.tsx'
import { Cell, Row, rowActions, Table } from '../../../components/table.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { RowMenu } from '../../../components/row-menu.tsx'
import { usePanel } from '../use-panel.ts'
import { DispatchesPanel } from './dispatches-panel.tsx'
import { RepositoriesPanel } from './repositories-panel.tsx'
import { TestWorkflowsPanel } from './test-workflows-panel.tsx'
import { WorkflowsPanel } from './workflows-panel.tsx'
import type { Codehost, Rule } from './codehost.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { moveRule } from './move-rule.ts'

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

/** Maps the code host's environments to ours: by the rules in order, then by a guess from the name. */
function EnvironmentMapPanel({ status }: { readonly status: Codehost }) {
  const { can } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments')
  const update = useWrite('PATCH /organizations/{org_id}/integrations/codehost')
  const { panel, of = '', open, close: closePanel } = usePanel()
  const isAdding = panel === 'rule' && can('admin')
  const nameOf = (id: string | null) => environments.find((one) => one.id === id)?.name
  const save = (environmentMap: readonly Rule[], onSuccess?: () => void) =>
    update.mutate({
      body: { environmentMap: [...environmentMap] },
      ...(onSuccess && { onSuccess }),
    })
  // A rejection belongs to the dialog, so closing it clears the rejection.
  const close = () => {
    update.reset()
    closePanel()
  }
  const { environmentMap, repositories } = status
  const repositoryNameOf = (id: string) => repositories.find((one) => one.id === id)?.fullName
  return (
    <Panel
      title="Environments"
      flush
      actions={can('admin') && <Button onClick={() => open({ panel: 'rule' })}>Add a rule</Button>}
    >
      {!isAdding && <FormProblem problem={update.error} />}
      {environmentMap.length > 0 && (
        <RuleTable
          rules={environmentMap}
          nameOf={nameOf}
          repositoryNameOf={repositoryNameOf}
          {...(can('admin') && { onChange: (rules) => save(rules) })}
        />
      )}
      <HostTable
        status={status}
        nameOf={nameOf}
        {...(can('admin') && {
          onMap: (name: string) => open({ panel: 'rule', of: name }),
        })}
      />
      {isAdding && (
        <RuleDialog
          pattern={of}
          environments={environments}
          repositories={repositories}
          pending={update.isPending}
          problem={update.error}
          onClose={close}
          onSave={(rule) => save([rule, ...environmentMap], closePanel)}
        />
      )}
    </Panel>
  )
}

interface HostTableProps {
  readonly status: Codehost
  readonly nameOf: (environmentId: string) => string | undefined
  /** Opens the dialog for a rule. Absent without the permission. */
  readonly onMap?: (name: string) => void
}

const reasons = { rule: 'by a rule', guess: 'by its name', none: '' } as const

/** Shows the environments of the code host, and the one of ours that each maps to. */
function HostTable({ status, nameOf, onMap }: HostTableProps) {
  const host = useProviderName('codehost')
  const { hostEnvironments, repositories } = status
  if (hostEnvironments.length === 0) {
    return (
      <p className="p-4 text-muted">
        No environments on {host} yet. They appear with the first deployment, or after a sync.
      </p>
    )
  }
  return (
    <Table columns={['Repository', 'Name', 'Environment', rowActions]} caption={`Found on ${host}`}>
      {hostEnvironments.map(({ repositoryId, name, environmentId, mappedBy, ignored }) => (
        <Row key={`${repositoryId} ${name}`}>
          <Cell className="wrap-anywhere">
            {repositories.find(({ id }) => id === repositoryId)?.fullName ?? repositoryId}
          </Cell>
          <Cell className="wrap-anywhere">{name}</Cell>
          <Cell className="wrap-anywhere">
            {ignored && <Badge>ignored</Badge>}
            {!ignored && environmentId === null && (
              <Badge tone="warn">not mapped: not recorded</Badge>
            )}
            {!ignored && environmentId !== null && (
              <>
                {nameOf(environmentId)}{' '}
                <span className="text-sm text-muted">{reasons[mappedBy]}</span>
              </>
            )}
          </Cell>
          <Cell className="text-right">
            {onMap && (
              <Button variant="quiet" onClick={() => onMap(name)}>
                Map
              </Button>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

interface RuleTableProps {
  readonly rules: readonly Rule[]
  readonly nameOf: (environmentId: string) => string | undefined
  readonly repositoryNameOf: (repositoryId: string) => string | undefined
  /** Saves the rules. Absent without the permission. */
  readonly onChange?: (rules: readonly Rule[]) => void
}

/** Shows the rules in their order: the first match decides. */
function RuleTable({ rules, nameOf, repositoryNameOf, onChange }: RuleTableProps) {
  const host = useProviderName('codehost')
  return (
    <Table
      columns={[`Name on ${host}`, 'Repository', 'Environment', rowActions]}
      caption="Rules: the first match wins"
    >
      {rules.map(({ pattern, repositoryId, environmentId }, at) => (
        // Two rules may have the same pattern, so the index makes the key unique.
        <Row key={`${at} ${pattern}`}>
          <Cell>
            <code className="font-mono text-sm break-all">{pattern}</code>
          </Cell>
          <Cell className="wrap-anywhere text-muted">
            {repositoryId === undefined
              ? 'every repository'
              : (repositoryNameOf(repositoryId) ?? 'a deleted repository')}
          </Cell>
          <Cell className="wrap-anywhere">
            {environmentId === null ? (
              <Badge>ignored</Badge>
            ) : (
              (nameOf(environmentId) ?? 'a deleted environment')
            )}
          </Cell>
          <Cell className="text-right">
            {onChange && (
              <RowMenu
                label={`Actions for the rule ${pattern}`}
                items={[
                  {
                    label: 'Move up',
                    onSelect: () => onChange(moveRule(rules, at, -1)),
                    ...(at === 0 && { disabledReason: 'This is the first rule.' }),
                  },
                  {
                    label: 'Move down',
                    onSelect: () => onChange(moveRule(rules, at, 1)),
                    ...(at === rules.length - 1 && { disabledReason: 'This is the last rule.' }),
                  },
                  {
                    label: 'Remove',
                    danger: true,
                    onSelect: () => onChange(rules.toSpliced(at, 1)),
                  },
                ]}
              />
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
