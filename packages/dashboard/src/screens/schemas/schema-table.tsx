import { Link } from '@tanstack/react-router'
import { tiers } from '@signalbox/contract'
import { tierWords } from '../configs/matrix.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { Cell, Row, Table } from '../../components/table.tsx'

/** Shows every schema. */
export function SchemaTable({ schemas }: { readonly schemas: readonly ConfigSchema[] }) {
  const { slug } = useOrganization()
  return (
    <div className="min-w-0 overflow-x-auto rounded-lg border border-line bg-panel">
      <Table columns={['Schema', 'Keys', 'Revision', 'Changed']}>
        {schemas.map((schema) => (
          <Row key={schema.id}>
            <Cell className="sm:max-w-80">
              <Link
                to="/$org/schemas"
                params={{ org: slug }}
                search={{ schema: schema.id }}
                className="font-medium"
              >
                {schema.name}
              </Link>
              {schema.description !== '' && (
                <span className="block sm:truncate text-sm text-muted">{schema.description}</span>
              )}
            </Cell>
            <Cell>{toCounts(schema)}</Cell>
            <Cell>{schema.revision}</Cell>
            <Cell>
              <Age at={schema.updatedAt} />
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  )
}

/** Returns the keys by tier. Example: `5 public, 2 secret, 1 flag`. */
function toCounts({ schema }: ConfigSchema): string {
  const keys = Object.values(schema)
  return tiers
    .map((tier) => [tier, keys.filter((key) => key.tier === tier).length] as const)
    .filter(([, count]) => count > 0)
    .map(
      ([tier, count]) =>
        `${count} ${tierWords[tier]}${tier === 'featureFlags' && count > 1 ? 's' : ''}`,
    )
    .join(', ')
}
