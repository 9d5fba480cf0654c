import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
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
            <td className="break-words">
              {repositories.find(({ id }) => id === repositoryId)?.fullName ?? repositoryId}
            </td>
            <td className="break-words">{name}</td>
            <td>
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
            </td>
            <td className="text-right">
              {onMap && (
                <Button look="quiet" onClick={() => onMap(name)}>
                  Map
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
