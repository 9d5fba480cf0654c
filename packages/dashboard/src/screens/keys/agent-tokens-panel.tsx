import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useList, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { CreateAgentTokenDialog } from './create-agent-token-dialog.tsx'

type AgentToken = AnswerOf<'GET /organizations/{org_id}/agent-tokens'>['items'][number]

interface AgentTokensPanelProps {
  readonly isCreating: boolean
  readonly onCreating: (isOpen: boolean) => void
}

/** Renders the tokens with which assistants act for members. */
export function AgentTokensPanel({ isCreating, onCreating }: AgentTokensPanelProps) {
  const { params } = useOrganization()
  const tokens = useList('GET /organizations/{org_id}/agent-tokens', { params })
  const create = (
    <Button icon={Plus} onClick={() => onCreating(true)}>
      New agent token
    </Button>
  )
  return (
    <Panel title="Agent tokens" flush actions={create}>
      <Loaded query={tokens}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={Bot} title="No agent tokens">
              An assistant, such as Claude Code, needs one to read deployments and flags for you. It
              never sees a secret.
              <p className="mt-2">
                <DocsLink page="assistants">Connect an assistant</DocsLink>
              </p>
            </EmptyState>
          ) : (
            <Table
              columns={[
                'Name',
                'Acts for',
                'Access',
                'Last used',
                'Expires',
                { title: 'Actions', kind: 'actions' },
              ]}
            >
              {items.map((token) => (
                <AgentTokenRow key={token.id} token={token} />
              ))}
            </Table>
          )
        }
      </Loaded>
      <MoreButton list={tokens} />
      {isCreating && <CreateAgentTokenDialog onClose={() => onCreating(false)} />}
    </Panel>
  )
}

function AgentTokenRow({ token }: { readonly token: AgentToken }) {
  const { params } = useOrganization()
  const end = useWrite('DELETE /organizations/{org_id}/agent-tokens/{agent_token_id}')
  const [isEnding, setEnding] = useState(false)
  const { id, name, prefix, member, scope, client, clientHost, lastUsedAt, expiresAt } = token
  const confirm = () =>
    end.mutate(
      { params: { ...params, agent_token_id: id } },
      { onSuccess: () => showToast({ text: `${name} has ended.` }) },
    )
  return (
    <Row>
      <Cell>
        <div className="min-w-32 font-medium wrap-anywhere">{name}</div>
        {clientHost === null ? (
          <div className="font-mono text-sm text-muted">{prefix}…</div>
        ) : (
          <div className="text-sm text-muted">connected by OAuth</div>
        )}
      </Cell>
      <Cell>{member.name}</Cell>
      <Cell>
        <Badge tone={scope === 'write' ? 'warn' : 'neutral'}>
          {scope === 'write' ? 'proposes and applies' : 'reads and proposes'}
        </Badge>
      </Cell>
      <Cell>
        {lastUsedAt === null ? 'never' : <Age at={lastUsedAt} />}
        {client !== null && client !== clientHost && (
          <div className="text-sm text-muted wrap-anywhere">{client}</div>
        )}
      </Cell>
      <Cell>
        <Age at={expiresAt} />
      </Cell>
      <Cell className="text-right">
        <Button aria-label={`End ${name}`} onClick={() => setEnding(true)}>
          End
        </Button>
        {isEnding && (
          <ConfirmDialog
            title={`End ${name}?`}
            action="End token"
            write={end}
            onClose={() => setEnding(false)}
            onConfirm={confirm}
          >
            The assistant loses access immediately. You can’t undo this.
          </ConfirmDialog>
        )}
      </Cell>
    </Row>
  )
}
