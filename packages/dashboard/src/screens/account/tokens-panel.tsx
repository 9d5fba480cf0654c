import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ItemOf } from '../../api/routes.ts'
import { useList } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { managing } from '../keys/key-form.ts'
import { RevokeTokenDialog } from './revoke-token-dialog.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'

type Token = ItemOf<'GET /me/tokens'>

/** Renders the personal access tokens, with which programs act as the person. */
export function TokensPanel() {
  const tokens = useList('GET /me/tokens')
  const [revoked, setRevoked] = useState<Token>()
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
              {items.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
              ))}
            </Table>
          )
        }
      </Loaded>
      <MoreButton list={tokens} />
      {revoked !== undefined && (
        <RevokeTokenDialog token={revoked} onClose={() => setRevoked(undefined)} />
      )}
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </Panel>
  )
}

interface TokenRowProps {
  readonly token: Token
  readonly onRevoke: () => void
}

function TokenRow({ token, onRevoke }: TokenRowProps) {
  const { name, prefix, manages, lastUsedAt, expiresAt } = token
  return (
    <Row>
      <Cell>
        <div className="min-w-32 font-medium wrap-anywhere">{name}</div>
        <div className="font-mono text-sm text-muted">{prefix}…</div>
        {manages && <Badge tone="warn">{managing.label}</Badge>}
      </Cell>
      <Cell>{lastUsedAt === null ? 'never' : <Age at={lastUsedAt} />}</Cell>
      <Cell>{expiresAt === null ? 'never' : <Age at={expiresAt} />}</Cell>
      <Cell className="text-right">
        <RowMenu
          label={`Actions for ${name}`}
          items={[{ label: 'Revoke', danger: true, onSelect: onRevoke }]}
        />
      </Cell>
    </Row>
  )
}
