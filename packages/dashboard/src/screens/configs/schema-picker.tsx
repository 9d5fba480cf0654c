import type { ReactNode } from 'react'
import { useList } from '../../api/use-api.ts'
import type { ItemOf } from '../../api/routes.ts'
import { ProblemState, Skeleton } from '../../components/states.tsx'
import { NoSchema } from './no-keys.tsx'

/** Describes one schema with its definition. */
export type ConfigSchema = ItemOf<'GET /organizations/{org_id}/config-schemas'>

/** Renders the choice among several schemas, or the name of the only one. */
export function SchemaPicker(props: {
  readonly schemas: readonly ConfigSchema[]
  readonly schemaId: string
  readonly onPick: (schemaId: string) => void
}) {
  const { schemas, schemaId, onPick } = props
  if (schemas.length < 2) return <bdi className="min-w-0 text-muted">{schemas[0]?.name}</bdi>
  return (
    <select
      aria-label="Schema"
      className="control w-auto max-w-60"
      value={schemaId}
      onChange={({ target }) => onPick(target.value)}
    >
      {schemas.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface WithSchemaProps {
  /** Holds the schema that the address names. */
  readonly chosen: string | undefined
  /** Holds the title above a replacement of the content. */
  readonly title: ReactNode
  readonly children: (schema: ConfigSchema, schemas: readonly ConfigSchema[]) => ReactNode
}

/** Renders its content for the chosen schema. Without schemas it offers to create one. */
export function WithSchema({ chosen, title, children }: WithSchemaProps) {
  const { data, error, refetch, isFetching } = useList(
    'GET /organizations/{org_id}/config-schemas',
    { query: { limit: 100 } },
  )
  const schema = data?.find(({ id, name }) => id === chosen || name === chosen) ?? data?.[0]
  if (data !== undefined && schema !== undefined) return children(schema, data)
  return (
    <>
      {title}
      {data !== undefined ? (
        <NoSchema />
      ) : error !== null ? (
        <ProblemState problem={error} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={10} />
      )}
    </>
  )
}
