import type { Tier } from '@signalbox/contract'
import type { ReactNode } from 'react'
import { Page } from '../../../components/page.tsx'
import { Loaded, Skeleton } from '../../../components/states.tsx'
import { useMatrix } from '../matrix.ts'
import { SchemaPicker, WithSchema, type ConfigSchema } from '../schema-picker.tsx'
import { MatrixWorkspace } from './matrix-workspace.tsx'
import { NoEnvironments } from './no-environments.tsx'
import { noFilters, type MatrixSearch } from './search.ts'

interface SchemaMatrixProps {
  readonly title: string
  readonly tier?: Tier
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
  /** Replaces the grid when the schema has no key of the tier. */
  readonly empty: (schemaId: string) => ReactNode
}

/** Renders the matrix of the schema that the address names, or of the first one. */
export function SchemaMatrix(props: SchemaMatrixProps) {
  const { title, search } = props
  return (
    <WithSchema chosen={search.schema} title={<Page title={title}>{null}</Page>}>
      {(schema, schemas) => (
        <LoadedMatrix
          {...props}
          schema={schema}
          schemaPicker={
            <SchemaPicker
              schemas={schemas}
              schemaId={schema.id}
              onPick={(id) => props.onSearch({ ...noFilters, schema: id })}
            />
          }
        />
      )}
    </WithSchema>
  )
}

interface LoadedMatrixProps extends SchemaMatrixProps {
  readonly schema: ConfigSchema
  readonly schemaPicker: ReactNode
}

function LoadedMatrix({ schema, empty, ...props }: LoadedMatrixProps) {
  return (
    <Loaded
      query={useMatrix(schema.id)}
      skeleton={<Skeleton lines={14} />}
      around={(instead) => (
        <Page title={props.title} beside={props.schemaPicker}>
          {instead}
        </Page>
      )}
    >
      {(matrix) => (
        <MatrixWorkspace
          {...props}
          key={matrix.schema.id}
          schema={schema}
          matrix={matrix}
          empty={matrix.environments.length === 0 ? <NoEnvironments /> : empty(schema.id)}
        />
      )}
    </Loaded>
  )
}
