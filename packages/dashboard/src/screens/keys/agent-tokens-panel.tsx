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
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { SecretDialog } from '../../components/secret-once.tsx'
import { toExpiry } from './key-form.ts'

type AgentToken = AnswerOf<'GET /organizations/{org_id}/agent-tokens'>['items'][number]

interface AgentTokensPanelProps {
  readonly isCreating: boolean
  readonly onCreating: (isOpen: boolean) => void
}

/** Renders the tokens with which assistants act for members. */
export function AgentTokensPanel({ isCreating, onCreating }: AgentTokensPanelProps) {
  const tokens = useList('GET /organizations/{org_id}/agent-tokens')
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
            <Table columns={['Name', 'Acts for', 'Access', 'Last used', 'Expires', rowActions]}>
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
  const end = useWrite('DELETE /organizations/{org_id}/agent-tokens/{agent_token_id}')
  const [isEnding, setEnding] = useState(false)
  const { id, name, prefix, member, scope, client, clientHost, lastUsedAt, expiresAt } = token
  const confirm = () =>
    end.mutate({
      params: { agent_token_id: id },
      onSuccess: () => showToast({ text: `${name} has ended.` }),
    })
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

/** Creates an agent token, and shows it once. */
function CreateAgentTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /organizations/{org_id}/agent-tokens')
  const [created, setCreated] = useState<AnswerOf<'POST /organizations/{org_id}/agent-tokens'>>()
  const [scope, setScope] = useState<'read' | 'write'>('read')
  const { error } = create

  if (created !== undefined) {
    return (
      <SecretDialog
        heading={`Agent token ${created.name}`}
        title="Agent token"
        help="Shown only once. Keep it in the assistant’s settings, not in your repository."
        secret={created.secret}
        onClose={onClose}
      >
        <p>
          <DocsLink page="assistants">Connect an assistant</DocsLink>
        </p>
      </SecretDialog>
    )
  }
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const expiresAt = toExpiry(field('days'), new Date()) ?? undefined
    const body = { name: field('name'), scope, ...(expiresAt !== undefined && { expiresAt }) }
    create.mutate({ body, onSuccess: setCreated })
  }
  return (
    <FormDialog
      title="New agent token"
      onClose={onClose}
      write={create}
      fields={['/name']}
      submitLabel="Create token"
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        autoFocus
        help="The assistant and the machine, such as Claude Code on my laptop."
        error={error?.errorOf('/name')}
      />
      <ScopeField scope={scope} onChange={setScope} />
      <SelectField
        label="Expires"
        name="days"
        defaultValue="7"
        help="The assistant acts with your role until then, and never sees a secret."
      >
        <option value="1">in a day</option>
        <option value="7">in 7 days</option>
        <option value="30">in 30 days</option>
      </SelectField>
    </FormDialog>
  )
}

interface ScopeFieldProps {
  readonly scope: 'read' | 'write'
  readonly onChange: (scope: 'read' | 'write') => void
}

function ScopeField({ scope, onChange }: ScopeFieldProps) {
  return (
    <RadioGroup
      legend="Access"
      name="scope"
      value={scope}
      onChange={onChange}
      options={[
        {
          value: 'read',
          label: 'Read and propose',
          help: 'Reads deployments, configuration and flags, and prepares changes that you save.',
        },
        {
          value: 'write',
          label: 'Apply changes too',
          help: 'Saves what it proposes, but never in production or a protected environment.',
        },
      ]}
    />
  )
}
