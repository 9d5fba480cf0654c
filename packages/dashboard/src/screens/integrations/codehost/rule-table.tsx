import { Badge } from '../../../parts/badge.tsx'
import { RowMenu } from '../../../parts/row-menu.tsx'
import { moveRule } from './move-rule.ts'
import type { Rule } from './rule-dialog.tsx'

interface RuleTableProps {
  readonly rules: readonly Rule[]
  readonly nameOf: (environmentId: string) => string | undefined
  readonly repositoryNameOf: (repositoryId: string) => string | undefined
  /** Left out: the person may not. */
  readonly onChange?: (rules: readonly Rule[]) => void
}

/** The rules in their order, which is what decides where two of them fit. */
export function RuleTable({ rules, nameOf, repositoryNameOf, onChange }: RuleTableProps) {
  return (
    <table className="table">
      <caption className="px-4 pt-3 text-left font-medium">
        Rules, the first that fits counts
      </caption>
      <thead>
        <tr>
          <th scope="col">Name at the code host</th>
          <th scope="col">In</th>
          <th scope="col">Is</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rules.map(({ pattern, repositoryId, environmentId }, at) => (
          // The same pattern may stand twice, so its place tells the rows apart.
          <tr key={`${at} ${pattern}`}>
            <td>
              <code className="font-mono text-sm break-all">{pattern}</code>
            </td>
            <td className="break-words text-muted">
              {repositoryId === undefined
                ? 'every repository'
                : (repositoryNameOf(repositoryId) ?? 'a repository that is gone')}
            </td>
            <td>
              {environmentId === null ? (
                <Badge>ignored</Badge>
              ) : (
                (nameOf(environmentId) ?? 'an environment that is gone')
              )}
            </td>
            <td className="text-right">
              {onChange && (
                <RowMenu
                  label={`Actions for the rule ${pattern}`}
                  items={[
                    {
                      label: 'Move up',
                      onSelect: () => onChange(moveRule(rules, at, -1)),
                      ...(at === 0 && { disabledReason: 'It is the first.' }),
                    },
                    {
                      label: 'Move down',
                      onSelect: () => onChange(moveRule(rules, at, 1)),
                      ...(at === rules.length - 1 && { disabledReason: 'It is the last.' }),
                    },
                    {
                      label: 'Remove',
                      danger: true,
                      onSelect: () => onChange(rules.toSpliced(at, 1)),
                    },
                  ]}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
