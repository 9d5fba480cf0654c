import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useList, useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import { FormProblem, Loaded } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'

/** What programs use that act as the person: the command line, scripts. */
export function TokensPanel() {
  const tokens = useList('GET /me/tokens')
  const revoke = useWrite('DELETE /me/tokens/{token_id}')
  const [isCreating, setCreating] = useState(false)
  return (
    <Panel
      title="Personal access tokens"
      flush
      actions={
        <Button icon={Plus} onClick={() => setCreating(true)}>
          New token
        </Button>
      }
    >
      <FormProblem problem={revoke.error} />
      <Loaded query={tokens}>
        {(items) =>
          items.length === 0 ? (
            <p className="p-4 text-muted">
              None. <code className="font-mono">signalbox login</code> makes one for itself.
            </p>
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Last used</th>
                  <th scope="col">Ends</th>
                  <th scope="col">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, name, prefix, lastUsedAt, expiresAt }) => (
                  <tr key={id}>
                    <td>
                      <div className="font-medium break-words">{name}</div>
                      <div className="font-mono text-sm text-muted">{prefix}…</div>
                    </td>
                    <td>{lastUsedAt === null ? 'never' : <Age at={lastUsedAt} />}</td>
                    <td>{expiresAt === null ? 'never' : <Age at={expiresAt} />}</td>
                    <td className="text-right">
                      <RowMenu
                        label={`Actions for ${name}`}
                        items={[
                          {
                            label: 'Revoke',
                            danger: true,
                            onSelect: () => revoke.mutate({ params: { token_id: id } }),
                          },
                        ]}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      <MoreButton list={tokens} />
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </Panel>
  )
}
