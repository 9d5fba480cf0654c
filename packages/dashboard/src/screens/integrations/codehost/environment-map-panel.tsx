import { useState } from 'react'
import { useList, useWrite } from '../../../api/use-api.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { FormProblem } from '../../../parts/states.tsx'
import { useOrganization } from '../../../shell/organization.ts'
import type { Codehost } from './codehost-settings.tsx'
import { RuleDialog, type Rule } from './rule-dialog.tsx'

const reasons = { rule: 'by a rule', guess: 'by its name', none: '' } as const

/** Which of our environments the code host's are: rules first, in order, then a guess by the name. */
export function EnvironmentMapPanel({ status }: { readonly status: Codehost }) {
  const { params, can } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const update = useWrite('PATCH /organizations/{org_id}/integrations/codehost')
  const [adding, setAdding] = useState<string>()
  const nameOf = (id: string | null) => environments.find((one) => one.id === id)?.name
  const save = (environmentMap: readonly Rule[], onSuccess?: () => void) =>
    update.mutate(
      { params, body: { environmentMap: [...environmentMap] } },
      { ...(onSuccess && { onSuccess }) },
    )
  const { environmentMap, hostEnvironments, repositories } = status
  return (
    <Panel
      title="Environments"
      flush
      actions={can('admin') && <Button onClick={() => setAdding('')}>Add a rule</Button>}
    >
      <FormProblem problem={update.error} />
      {environmentMap.length > 0 && (
        <table className="table">
          <caption className="px-4 pt-3 text-left font-medium">
            Rules, the first that fits counts
          </caption>
          <thead>
            <tr>
              <th scope="col">Name at the code host</th>
              <th scope="col">Is</th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {environmentMap.map((rule, at) => (
              <tr key={`${rule.pattern} ${rule.repositoryId ?? ''}`}>
                <td>
                  <code className="font-mono text-sm">{rule.pattern}</code>
                </td>
                <td>
                  {rule.environmentId === null ? (
                    <Badge>ignored</Badge>
                  ) : (
                    nameOf(rule.environmentId)
                  )}
                </td>
                <td className="text-right">
                  {can('admin') && (
                    <Button look="quiet" onClick={() => save(environmentMap.toSpliced(at, 1))}>
                      Remove
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <table className="table">
        <caption className="px-4 pt-3 text-left font-medium">Found at the code host</caption>
        <thead>
          <tr>
            <th scope="col">Repository</th>
            <th scope="col">Name there</th>
            <th scope="col">Is here</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {hostEnvironments.map(({ repositoryId, name, environmentId, mappedBy, ignored }) => (
            <tr key={`${repositoryId} ${name}`}>
              <td className="break-all">
                {repositories.find(({ id }) => id === repositoryId)?.fullName ?? repositoryId}
              </td>
              <td className="break-all">{name}</td>
              <td>
                {ignored ? (
                  <Badge>ignored</Badge>
                ) : environmentId === null ? (
                  <Badge tone="warn">not mapped: not recorded</Badge>
                ) : (
                  <>
                    {nameOf(environmentId)}{' '}
                    <span className="text-sm text-muted">{reasons[mappedBy]}</span>
                  </>
                )}
              </td>
              <td className="text-right">
                {can('admin') && (
                  <Button look="quiet" onClick={() => setAdding(name)}>
                    Map
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hostEnvironments.length === 0 && (
        <p className="p-4 text-muted">
          None yet. They appear with the first deployment, or with a sync.
        </p>
      )}
      {adding !== undefined && (
        <RuleDialog
          pattern={adding}
          environments={environments}
          pending={update.isPending}
          problem={update.error}
          onClose={() => setAdding(undefined)}
          onSave={(rule) => save([rule, ...environmentMap], () => setAdding(undefined))}
        />
      )}
    </Panel>
  )
}
