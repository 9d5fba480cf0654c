import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead, useWrite } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Loaded } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ScimTokens } from './scim-tokens.tsx'
import { SignInProviders } from './sign-in-providers.tsx'

type Domain = AnswerOf<'GET /organizations/{org_id}/email-domains'>['items'][number]

/** Shows the e-mail domains of the organization, and what its directory needs. */
export function SingleSignOnPanel() {
  const { can } = useOrganization()
  const domains = useRead('GET /organizations/{org_id}/email-domains')
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Domain>()
  return (
    <Panel
      title="Single sign-on"
      actions={
        can('owner') && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add a domain
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-6">
        <p className="max-w-prose text-muted">
          Verify that an e-mail domain is yours. People with addresses there can then sign in with
          your provider, and your directory, such as Microsoft Entra ID or Okta, adds and removes
          them. <DocsLink page="single-sign-on">How to set it up</DocsLink>
        </p>
        <Loaded query={domains}>
          {({ items }) => (
            <>
              {items.length === 0 && <p className="text-muted">No domain yet.</p>}
              {items.map((domain) => (
                <DomainRow
                  key={domain.domain}
                  domain={domain}
                  onRemove={() => setRemoved(domain)}
                />
              ))}
              <SignInProviders isReady={items.some(({ verifiedAt }) => verifiedAt !== null)} />
              <ScimTokens isReady={items.some(({ verifiedAt }) => verifiedAt !== null)} />
            </>
          )}
        </Loaded>
      </div>
      {isAdding && <AddDomainDialog onClose={() => setAdding(false)} />}
      {removed !== undefined && (
        <RemoveDomainDialog domain={removed} onClose={() => setRemoved(undefined)} />
      )}
    </Panel>
  )
}

const states = {
  unverified: { tone: 'warn', label: 'Not verified' },
  verified: { tone: 'ok', label: 'Verified' },
  missing: { tone: 'bad', label: 'Record is gone' },
} as const

/** Explains what the last look for the record ended with. */
function explain({ state, lastCheck, endsAt }: Domain): string {
  if (state === 'verified')
    return 'The record is there. Leave it in place: it is checked every day.'
  if (state === 'missing') {
    return `The record is gone. Create it again. Otherwise the domain stops being verified on ${endsAt?.slice(0, 10) ?? 'the seventh day'}.`
  }
  if (lastCheck === 'absent') {
    return 'The record was not there yet. DNS can take an hour to show a new one.'
  }
  if (lastCheck === 'unreachable') return 'DNS did not answer. Check again in a minute.'
  return 'Create this TXT record at the domain, then check.'
}

function DomainRow({ domain, onRemove }: Readonly<{ domain: Domain; onRemove: () => void }>) {
  const { can } = useOrganization()
  const check = useWrite('POST /organizations/{org_id}/email-domains/{domain}/check')
  const { tone, label } = states[domain.state]
  return (
    <section aria-label={domain.domain} className="flex max-w-2xl flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-medium wrap-anywhere">{domain.domain}</h3>
        <Badge tone={tone}>{label}</Badge>
        {domain.checkedAt !== null && (
          <span className="text-muted">
            checked <Age at={domain.checkedAt} />
          </span>
        )}
        {can('owner') && (
          <span className="ms-auto flex items-center gap-2">
            <Button
              pending={check.isPending}
              onClick={() => check.mutate({ params: { domain: domain.domain } })}
            >
              Check
            </Button>
            <RowMenu
              label={`Actions for ${domain.domain}`}
              items={[{ label: 'Remove', danger: true, onSelect: onRemove }]}
            />
          </span>
        )}
      </div>
      <p className="text-muted" role="status">
        {check.error === undefined || check.error === null ? explain(domain) : check.error.message}
      </p>
      {domain.state !== 'verified' && (
        <>
          <CodeBlock code={domain.recordValue} />
          <p className="text-muted">
            As a TXT record at <code className="font-mono">{domain.recordNames[0]}</code> or{' '}
            <code className="font-mono">{domain.recordNames[1]}</code>.
          </p>
        </>
      )}
    </section>
  )
}

function AddDomainDialog({ onClose }: { readonly onClose: () => void }) {
  const add = useWrite('POST /organizations/{org_id}/email-domains')
  const submit = (form: HTMLFormElement) =>
    add.mutate({ body: { domain: fieldsOf(form)('domain') }, onSuccess: onClose })
  return (
    <FormDialog
      title="Add an e-mail domain"
      onClose={onClose}
      write={add}
      fields={['/domain']}
      submitLabel="Add domain"
      onSubmit={submit}
    >
      <TextField
        label="Domain"
        name="domain"
        autoFocus
        help="What stands behind the @ of your people’s addresses, such as acme.com."
        error={add.error?.errorOf('/domain')}
      />
    </FormDialog>
  )
}

function RemoveDomainDialog({
  domain: { domain },
  onClose,
}: Readonly<{ domain: Domain; onClose: () => void }>) {
  const remove = useWrite('DELETE /organizations/{org_id}/email-domains/{domain}')
  return (
    <ConfirmDialog
      title={`Remove ${domain}?`}
      action="Remove domain"
      write={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({
          params: { domain },
          onSuccess: () => {
            showToast({ text: `${domain} was removed.` })
            onClose()
          },
        })
      }
    >
      Nobody with an address of {domain} can then sign in with your provider, and your directory
      adds nobody with one. Members stay.
    </ConfirmDialog>
  )
}
