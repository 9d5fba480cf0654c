import { useRead, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { FormProblem, Loaded } from '../../parts/states.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { Age } from '../../parts/time.tsx'

/** Where the person is signed in. */
export function SessionsPanel() {
  const sessions = useRead('GET /sessions')
  const end = useWrite('DELETE /sessions/{session_id}')
  const endOthers = useWrite('DELETE /sessions')
  const hasOthers = (sessions.data?.items.length ?? 0) > 1
  return (
    <Panel
      title="Sessions"
      flush
      actions={
        hasOthers && (
          <Button pending={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            End all others
          </Button>
        )
      }
    >
      <FormProblem problem={end.error ?? endOthers.error} />
      <Loaded query={sessions}>
        {({ items }) => (
          <Table
            columns={[
              'Browser',
              'IP address',
              'Signed in',
              'Last used',
              { title: 'Actions', kind: 'actions' },
            ]}
          >
            {items.map(({ id, current, client, ip, createdAt, lastUsedAt }) => (
              <Row key={id}>
                <Cell>
                  <div className="min-w-24 wrap-anywhere">
                    {client ?? 'Unknown'} {current && <Badge tone="info">This session</Badge>}
                  </div>
                </Cell>
                <Cell className="font-mono text-sm">{ip ?? '–'}</Cell>
                <Cell>
                  <Age at={createdAt} />
                </Cell>
                <Cell>
                  <Age at={lastUsedAt} />
                </Cell>
                <Cell className="text-right">
                  {!current && (
                    <Button
                      look="quiet"
                      pending={end.isPending}
                      onClick={() => end.mutate({ params: { session_id: id } })}
                    >
                      End
                    </Button>
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
    </Panel>
  )
}
