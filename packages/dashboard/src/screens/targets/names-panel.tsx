import { Link } from '@tanstack/react-router'
import { useList } from '../../api/use-api.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { ItemOf } from '../../api/routes.ts'
import { slotOf, storeWords, type Target } from './target.ts'

type TargetName = ItemOf<'GET /organizations/{org_id}/targets/{target_id}/names'>

const stateWords: Readonly<
  Record<TargetName['state'], { readonly text: string; readonly tone: Tone }>
> = {
  writing: { text: 'Writing', tone: 'info' },
  written: { text: 'Written', tone: 'ok' },
  deleting: { text: 'Deleting', tone: 'warn' },
  adopted: { text: 'Taken over', tone: 'info' },
}

/** Lists the names that Signalbox wrote, with the version of each. */
export function NamesPanel({ target }: { readonly target: Target }) {
  const { slug } = useOrganization()
  const names = useList('GET /organizations/{org_id}/targets/{target_id}/names', {
    params: { target_id: target.id },
  })
  return (
    <Panel title="Written names" flush>
      <Loaded query={names}>
        {(items) =>
          items.length === 0 ? (
            <p className="p-4 text-muted">Signalbox has written no name there yet.</p>
          ) : (
            <Table columns={['Name', 'Key', 'Version', 'State']}>
              {items.map((item) => {
                const { name, store, key, state, version, writtenAt } = item
                const { text, tone } = stateWords[state]
                return (
                  <Row key={slotOf(item)}>
                    <Cell>
                      <span className="font-mono wrap-anywhere">{name}</span>{' '}
                      <span className="text-sm text-muted">{storeWords[store]}</span>
                    </Cell>
                    <Cell>
                      <Link
                        to="/$org/config"
                        params={{ org: slug }}
                        search={{ schema: target.schemaId, panel: 'about', key }}
                        className="font-mono wrap-anywhere"
                      >
                        {key}
                      </Link>
                    </Cell>
                    <Cell>{version ?? <span className="text-muted">None yet</span>}</Cell>
                    <Cell>
                      <span className="flex flex-wrap items-center gap-2">
                        <Badge tone={tone}>{text}</Badge>
                        {writtenAt !== null && (
                          <span className="text-sm text-muted">
                            <Age at={writtenAt} />
                          </span>
                        )}
                      </span>
                    </Cell>
                  </Row>
                )
              })}
            </Table>
          )
        }
      </Loaded>
      <MoreButton list={names} />
    </Panel>
  )
}
