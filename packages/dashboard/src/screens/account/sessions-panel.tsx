import type { AnswerOf } from '../../api/routes.ts'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'

/** Renders the person's sessions. */
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
          <Table columns={['Browser', 'IP address', 'Signed in', 'Last used', rowActions]}>
            {items.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isEnding={end.isPending}
                onEnd={() => end.mutate({ params: { session_id: session.id } })}
              />
            ))}
          </Table>
        )}
      </Loaded>
    </Panel>
  )
}

interface SessionRowProps {
  readonly session: AnswerOf<'GET /sessions'>['items'][number]
  readonly isEnding: boolean
  readonly onEnd: () => void
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { current, client, ip, createdAt, lastUsedAt } = session
  return (
    <Row>
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
          <Button variant="quiet" pending={isEnding} onClick={onEnd}>
            End
          </Button>
        )}
      </Cell>
    </Row>
  )
}
