import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead, useWrite } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { SecretDialog } from '../../components/secret-once.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'

type Token = AnswerOf<'GET /organizations/{org_id}/scim-tokens'>['items'][number]

interface ScimTokensProps {
  /** Says that a domain is verified, without which there is nothing to do for a directory. */
  readonly isReady: boolean
}

/** Shows the address at which a directory manages the people, and its tokens. */
export function ScimTokens({ isReady }: ScimTokensProps) {
  const { id, can } = useOrganization()
  const tokens = useRead('GET /organizations/{org_id}/scim-tokens')
  const [isCreating, setCreating] = useState(false)
  const [ended, setEnded] = useState<Token>()
  return (
    <section aria-labelledby="directory" className="flex flex-col gap-2">
      <h3 id="directory" className="font-medium">
        Directory (SCIM)
      </h3>
      <p className="max-w-prose text-muted">
        {isReady
          ? 'Give your directory this address and a token. It adds people as viewers; the groups that it sends get rights under Members.'
          : 'Verify a domain first. Then you create the token that your directory needs.'}
      </p>
      <div className="max-w-2xl">
        <CodeBlock code={`${location.origin}/organizations/${id}/scim/v2`} />
      </div>
      <Loaded query={tokens}>
        {({ items }) =>
          items.length > 0 && (
            <Table columns={['Token', 'Last used', 'Created', rowActions]}>
              {items.map((token) => (
                <TokenRow key={token.id} token={token} onEnd={() => setEnded(token)} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {can('owner') && (
        <div>
          <Button disabled={!isReady} onClick={() => setCreating(true)}>
            Create a SCIM token
          </Button>
        </div>
      )}
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {ended !== undefined && <EndDialog token={ended} onClose={() => setEnded(undefined)} />}
    </section>
  )
}

function TokenRow({ token, onEnd }: Readonly<{ token: Token; onEnd: () => void }>) {
  const { can } = useOrganization()
  const { name, prefix, lastUsedAt, createdAt, createdBy } = token
  return (
    <Row>
      <Cell>
        <div className="min-w-32 font-medium wrap-anywhere">{name}</div>
        <div className="font-mono text-sm text-muted">{prefix}…</div>
      </Cell>
      <Cell>{lastUsedAt === null ? 'never' : <Age at={lastUsedAt} />}</Cell>
      <Cell>
        <Age at={createdAt} /> by {createdBy.name}
      </Cell>
      <Cell className="text-right">
        {can('owner') && (
          <RowMenu
            label={`Actions for ${name}`}
            items={[{ label: 'End', danger: true, onSelect: onEnd }]}
          />
        )}
      </Cell>
    </Row>
  )
}

/** Creates a token, and shows it once. */
function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /organizations/{org_id}/scim-tokens')
  const [created, setCreated] = useState<AnswerOf<'POST /organizations/{org_id}/scim-tokens'>>()
  if (created !== undefined) {
    return (
      <SecretDialog
        heading={`SCIM token ${created.name}`}
        title="SCIM token"
        help="Shown only once. Paste it into your directory: a program that has it adds and removes members."
        secret={created.secret}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title="New SCIM token"
      onClose={onClose}
      write={create}
      fields={['/name']}
      submitLabel="Create token"
      onSubmit={(form) =>
        create.mutate({ body: { name: fieldsOf(form)('name') }, onSuccess: setCreated })
      }
    >
      <TextField
        label="Name"
        name="name"
        autoFocus
        help="The directory that uses it, such as Okta. There can be two, so that you can replace one."
        error={create.error?.errorOf('/name')}
      />
    </FormDialog>
  )
}

function EndDialog({
  token: { id, name },
  onClose,
}: Readonly<{ token: Token; onClose: () => void }>) {
  const end = useWrite('DELETE /organizations/{org_id}/scim-tokens/{scim_token_id}')
  return (
    <ConfirmDialog
      title={`End ${name}?`}
      action="End token"
      write={end}
      onClose={onClose}
      onConfirm={() =>
        end.mutate({
          params: { scim_token_id: id },
          onSuccess: () => {
            showToast({ text: `${name} was ended.` })
            onClose()
          },
        })
      }
    >
      Signalbox refuses the directory that uses it immediately. The people it added stay.
    </ConfirmDialog>
  )
}
