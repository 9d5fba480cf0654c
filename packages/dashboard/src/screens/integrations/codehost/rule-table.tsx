import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import type { Rule } from './rule-dialog.tsx'

interface RuleTableProps {
  readonly rules: readonly Rule[]
  readonly nameOf: (environmentId: string) => string | undefined
  /** Left out: the person may not. */
  readonly onRemove?: (at: number) => void
}

export function RuleTable({ rules, nameOf, onRemove }: RuleTableProps) {
  return (
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
        {rules.map(({ pattern, repositoryId, environmentId }, at) => (
          <tr key={`${pattern} ${repositoryId ?? ''}`}>
            <td>
              <code className="font-mono text-sm">{pattern}</code>
            </td>
            <td>{environmentId === null ? <Badge>ignored</Badge> : nameOf(environmentId)}</td>
            <td className="text-right">
              {onRemove && (
                <Button look="quiet" onClick={() => onRemove(at)}>
                  Remove
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
