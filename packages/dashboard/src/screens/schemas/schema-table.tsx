import { Link } from '@tanstack/react-router'
import { tiers } from '@signalbox/contract'
import type { ConfigSchema } from '../../configs/schema-picker.tsx'
import { Age } from '../../parts/time.tsx'
import { useOrganization } from '../../shell/organization.ts'

export function SchemaTable({ schemas }: { readonly schemas: readonly ConfigSchema[] }) {
  const { slug } = useOrganization()
  return (
    <div className="min-w-0 overflow-x-auto rounded-lg border border-line bg-panel">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Schema</th>
            <th scope="col">Keys</th>
            <th scope="col">Revision</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {schemas.map((schema) => (
            <tr key={schema.id}>
              <td className="max-w-80">
                <Link
                  to="/$org/schemas"
                  params={{ org: slug }}
                  search={{ schema: schema.id }}
                  className="font-medium"
                >
                  {schema.name}
                </Link>
                {schema.description !== '' && (
                  <span className="block truncate text-sm text-muted">{schema.description}</span>
                )}
              </td>
              <td>{toCounts(schema)}</td>
              <td>{schema.revision}</td>
              <td>
                <Age at={schema.updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const words = { public: 'public', secret: 'secret', featureFlags: 'flags' } as const

/** `5 public, 2 secret, 3 flags`. */
function toCounts({ schema }: ConfigSchema): string {
  const keys = Object.values(schema)
  return tiers
    .map((tier) => [tier, keys.filter((key) => key.tier === tier).length] as const)
    .filter(([, count]) => count > 0)
    .map(([tier, count]) => `${count} ${words[tier]}`)
    .join(', ')
}
