import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useList, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { managing } from '../keys/key-form.ts'
import { CreateTokenDialog } from './create-token-dialog.tsx'

/** Renders the personal access tokens, with which programs act as the person. */
export function TokensPanel() {
  const tokens = useList('GET /me/tokens')
  const revoke = useWrite('DELETE /me/tokens/{token_id}')
  const { new: isCreating = false } = useSearch({ from: '/person/account' })
  const navigate = useNavigate({ from: '/account' })
  const setCreating = (isOpen: boolean) =>
    void navigate({ search: isOpen ? { new: true } : {}, replace: true })
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
              No tokens yet. <code className="font-mono">signalbox login</code> creates its own. An
              assistant gets an agent token instead, on the page API keys of the organization.
            </p>
          ) : (
            <Table
              columns={['Name', 'Last used', 'Expires', { title: 'Actions', kind: 'actions' }]}
            >
              {items.map(({ id, name, prefix, manages, lastUsedAt, expiresAt }) => (
                <Row key={id}>
                  <Cell>
                    <TokenName name={name} prefix={prefix} manages={manages} />
                  </Cell>
                  <Cell>{lastUsedAt === null ? 'never' : <Age at={lastUsedAt} />}</Cell>
                  <Cell>{expiresAt === null ? 'never' : <Age at={expiresAt} />}</Cell>
                  <Cell className="text-right">
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
                  </Cell>
                </Row>
              ))}
            </Table>
          )
        }
      </Loaded>
      <MoreButton list={tokens} />
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </Panel>
  )
}

interface TokenNameProps {
  readonly name: string
  readonly prefix: string
  readonly manages: boolean
}

function TokenName({ name, prefix, manages }: TokenNameProps) {
  return (
    <>
      <div className="min-w-32 font-medium wrap-anywhere">{name}</div>
      <div className="font-mono text-sm text-muted">{prefix}…</div>
      {manages && <Badge tone="warn">{managing.label}</Badge>}
    </>
  )
}
