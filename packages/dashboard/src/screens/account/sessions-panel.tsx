import { useRead, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { FormProblem, Loaded } from '../../parts/states.tsx'
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
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Browser</th>
                <th scope="col">From</th>
                <th scope="col">Begun</th>
                <th scope="col">Last used</th>
                <th scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ id, current, client, ip, createdAt, lastUsedAt }) => (
                <tr key={id}>
                  <td>
                    {client ?? 'Unknown'} {current && <Badge tone="info">This one</Badge>}
                  </td>
                  <td className="font-mono text-sm">{ip ?? '–'}</td>
                  <td>
                    <Age at={createdAt} />
                  </td>
                  <td>
                    <Age at={lastUsedAt} />
                  </td>
                  <td className="text-right">
                    {!current && (
                      <Button
                        look="quiet"
                        pending={end.isPending}
                        onClick={() => end.mutate({ params: { session_id: id } })}
                      >
                        End
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Panel>
  )
}
