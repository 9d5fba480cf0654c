import { Badge } from '../../../components/badge.tsx'
import { RowMenu } from '../../../components/row-menu.tsx'
import { Cell, Row, Table } from '../../../components/table.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { moveRule } from './move-rule.ts'
import type { Rule } from './codehost.ts'

interface RuleTableProps {
  readonly rules: readonly Rule[]
  readonly nameOf: (environmentId: string) => string | undefined
  readonly repositoryNameOf: (repositoryId: string) => string | undefined
  /** Saves the rules. Absent without the permission. */
  readonly onChange?: (rules: readonly Rule[]) => void
}

/** Shows the rules in their order: the first match decides. */
export function RuleTable({ rules, nameOf, repositoryNameOf, onChange }: RuleTableProps) {
  const host = useProviderName('codehost')
  return (
    <Table
      columns={[
        `Name on ${host}`,
        'Repository',
        'Environment',
        { title: 'Actions', kind: 'actions' },
      ]}
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
