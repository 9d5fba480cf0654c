import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useEnvironments } from '../../configs/environments.ts'
import { SchemaPicker, WithSchema, type ConfigSchema } from '../../configs/schema-picker.tsx'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { HistoryFilters } from './history-filters.tsx'
import { PromoteDrawer } from './promote-drawer.tsx'
import { RestoreDrawer } from './restore-drawer.tsx'
import { readHistorySearch, type HistoryChange } from './search.ts'
import { VersionDrawer } from './version-drawer.tsx'
import { VersionTable } from './version-table.tsx'

const title = 'History'

/** Every save, with what it changed and the way back. */
export function HistoryScreen() {
  const { schema } = useSearch({ from: '/$org/history' })
  return (
    <WithSchema chosen={schema} title={<Page title={title}>{null}</Page>}>
      {(chosen, schemas) => <SchemaHistory schema={chosen} schemas={schemas} />}
    </WithSchema>
  )
}

interface SchemaHistoryProps {
  readonly schema: ConfigSchema
  readonly schemas: readonly ConfigSchema[]
}

function SchemaHistory({ schema, schemas }: SchemaHistoryProps) {
  const search = useSearch({ from: '/$org/history' })
  const navigate = useNavigate({ from: '/$org/history' })
  const { can } = useOrganization()
  const environments = useEnvironments()
  const onSearch = useCallback(
    (change: HistoryChange) =>
      void navigate({
        search: (before) => readHistorySearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  const chosen = search.chosen ?? []
  const [one, other] = chosen
  return (
    <Page
      title={title}
      beside={
        <SchemaPicker
          schemas={schemas}
          schemaId={schema.id}
          onPick={(id) => onSearch({ schema: id, key: undefined, chosen: undefined })}
        />
      }
      actions={
        <>
          {one !== undefined && other !== undefined && chosen.length === 2 && (
            <Button onClick={() => onSearch({ version: one, against: other })}>Compare</Button>
          )}
          {can('developer') && chosen.length > 0 && (
            <Button onClick={() => onSearch({ panel: 'restore' })}>
              Restore {chosen.length === 1 ? '1 version' : `${chosen.length} versions`}
            </Button>
          )}
          {can('developer') && (
            <Button look="primary" onClick={() => onSearch({ panel: 'promote' })}>
              Promote values
            </Button>
          )}
        </>
      }
    >
      <Loaded query={environments}>
        {(all) => (
          <>
            <HistoryFilters
              schema={schema}
              environments={all}
              search={search}
              onSearch={onSearch}
            />
            <VersionTable schema={schema} environments={all} search={search} onSearch={onSearch} />
            {search.version !== undefined && (
              <VersionDrawer
                versionId={search.version}
                against={search.against}
                environments={all}
                onRestore={(id) =>
                  onSearch({
                    version: undefined,
                    against: undefined,
                    chosen: [id],
                    panel: 'restore',
                  })
                }
                onClose={() => onSearch({ version: undefined, against: undefined })}
              />
            )}
            {search.panel === 'restore' && chosen.length > 0 && can('developer') && (
              <RestoreDrawer
                versionIds={chosen}
                environments={all}
                onDone={() => onSearch({ panel: undefined, chosen: undefined })}
                onClose={() => onSearch({ panel: undefined })}
              />
            )}
            {search.panel === 'promote' && can('developer') && (
              <PromoteDrawer
                schema={schema}
                environments={all}
                search={search}
                onSearch={onSearch}
                onClose={() =>
                  onSearch({ panel: undefined, from: undefined, to: undefined, keys: undefined })
                }
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
