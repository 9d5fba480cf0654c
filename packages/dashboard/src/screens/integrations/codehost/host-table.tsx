import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Cell, Row, Table } from '../../../components/table.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'
import type { Codehost } from './codehost.ts'

interface HostTableProps {
  readonly status: Codehost
  readonly nameOf: (environmentId: string) => string | undefined
  /** Opens the dialog for a rule. Absent without the permission. */
  readonly onMap?: (name: string) => void
}

const reasons = { rule: 'by a rule', guess: 'by its name', none: '' } as const

/** Shows the environments of the code host, and the one of ours that each maps to. */
export function HostTable({ status, nameOf, onMap }: HostTableProps) {
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
    <Table
      columns={['Repository', 'Name', 'Environment', { title: 'Actions', kind: 'actions' }]}
      caption={`Found on ${host}`}
    >
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
