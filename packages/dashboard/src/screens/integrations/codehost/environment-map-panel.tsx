import { useList, useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { usePanel } from '../use-panel.ts'
import { HostTable } from './host-table.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { RuleTable } from './rule-table.tsx'
import type { Codehost, Rule } from './codehost.ts'

/** Maps the code host's environments to ours: by the rules in order, then by a guess from the name. */
export function EnvironmentMapPanel({ status }: { readonly status: Codehost }) {
  const { params, can } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const update = useWrite('PATCH /organizations/{org_id}/integrations/codehost')
  const { panel, of = '', open, close: closePanel } = usePanel()
  const isAdding = panel === 'rule' && can('admin')
  const nameOf = (id: string | null) => environments.find((one) => one.id === id)?.name
  const save = (environmentMap: readonly Rule[], onSuccess?: () => void) =>
    update.mutate(
      { params, body: { environmentMap: [...environmentMap] } },
      { ...(onSuccess && { onSuccess }) },
    )
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
