import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Cell, Row, Table } from '../../../parts/table.tsx'
import type { Codehost } from './codehost-settings.tsx'

interface HostTableProps {
  readonly status: Codehost
  readonly nameOf: (environmentId: string) => string | undefined
  /** Left out: the person may not. */
  readonly onMap?: (name: string) => void
}

const reasons = { rule: 'by a rule', guess: 'by its name', none: '' } as const

/** The environments that the code host has, and what each is here. */
export function HostTable({ status, nameOf, onMap }: HostTableProps) {
  const { hostEnvironments, repositories } = status
  return (
    <Table
      columns={['Repository', 'Name', 'Environment', { title: 'Actions', kind: 'actions' }]}
      caption="Found at the code host"
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
              <Button look="quiet" onClick={() => onMap(name)}>
                Map
              </Button>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
