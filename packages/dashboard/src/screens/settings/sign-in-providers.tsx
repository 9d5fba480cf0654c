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
import { Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'

type Provider = AnswerOf<'GET /organizations/{org_id}/sign-in-providers'>['items'][number]

interface SignInProvidersProps {
  /** Says that a domain is verified, without which a provider signs nobody in. */
  readonly isReady: boolean
}

/** Shows the OpenID providers of the organization, with what is registered there. */
export function SignInProviders({ isReady }: SignInProvidersProps) {
  const { id, can } = useOrganization()
  const providers = useRead('GET /organizations/{org_id}/sign-in-providers')
  const [isAdding, setAdding] = useState(false)
  const [changed, setChanged] = useState<Provider>()
  const [removed, setRemoved] = useState<Provider>()
  return (
    <section aria-labelledby="providers" className="flex max-w-2xl flex-col gap-2">
      <h3 id="providers" className="font-medium">
        Sign-in provider (OpenID Connect)
      </h3>
      <p className="text-muted">
        Members with an address of a verified domain sign in there. Register these addresses at the
        provider.
      </p>
      <span>Redirect URI</span>
      <CodeBlock code={`${location.origin}/sign-in/oidc/callback/${id}`} />
      <span>Back-channel logout URI (optional)</span>
      <CodeBlock code={`${location.origin}/sign-in/oidc/logout/${id}`} />
      <Loaded query={providers}>
        {({ items }) => (
          <>
            {items.map((provider) => (
              <ProviderRow
                key={provider.id}
                provider={provider}
                onChange={setChanged}
                onRemove={setRemoved}
              />
            ))}
            {items.length > 1 && (
              <p className="text-sm text-muted">
                The sign-in page leads to {items[0]?.name}. The next one takes over once you remove
                it.
              </p>
            )}
          </>
        )}
      </Loaded>
      {can('owner') && (
        <div>
          <Button disabled={!isReady} onClick={() => setAdding(true)}>
            Add a provider
          </Button>
        </div>
      )}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {changed !== undefined && (
        <SecretReplacement provider={changed} onClose={() => setChanged(undefined)} />
      )}
      {removed !== undefined && (
        <RemoveDialog provider={removed} onClose={() => setRemoved(undefined)} />
      )}
    </section>
  )
}

interface ProviderRowProps {
  readonly provider: Provider
  readonly onChange: (provider: Provider) => void
  readonly onRemove: (provider: Provider) => void
}

function ProviderRow({ provider, onChange, onRemove }: ProviderRowProps) {
  const { can } = useOrganization()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="font-medium wrap-anywhere">{provider.name}</span>
      <span className="min-w-0 text-muted wrap-anywhere">{provider.issuer}</span>
      {can('owner') && (
        <span className="ms-auto">
          <RowMenu
            label={`Actions for ${provider.name}`}
            items={[
              { label: 'Replace the client secret', onSelect: () => onChange(provider) },
              { label: 'Remove', danger: true, onSelect: () => onRemove(provider) },
            ]}
          />
        </span>
      )}
    </div>
  )
}

const fields = [
  { name: 'name', label: 'Name', help: 'As your people call it, such as Okta.' },
  {
    name: 'issuer',
    label: 'Issuer',
    help: 'Exactly as its /.well-known/openid-configuration shows it.',
  },
  { name: 'clientId', label: 'Client ID', help: 'Of the application that you registered there.' },
  { name: 'clientSecret', label: 'Client secret', help: 'Stored sealed, and never shown again.' },
  {
    name: 'groupsClaim',
    label: 'Groups claim',
    help: 'The claim whose names fill the groups that follow the sign-in.',
  },
] as const

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const add = useWrite('POST /organizations/{org_id}/sign-in-providers')
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const [name, issuer, clientId] = [field('name'), field('issuer'), field('clientId')]
    const [clientSecret, groupsClaim] = [field('clientSecret'), field('groupsClaim')]
    add.mutate({ body: { name, issuer, clientId, clientSecret, groupsClaim }, onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Add a sign-in provider"
      onClose={onClose}
      write={add}
      fields={fields.map(({ name }) => `/${name}`)}
      submitLabel="Add provider"
      onSubmit={submit}
    >
      {fields.map(({ name, label, help }) => (
        <TextField
          key={name}
          label={label}
          name={name}
          type={name === 'clientSecret' ? 'password' : 'text'}
          autoComplete="off"
          defaultValue={name === 'groupsClaim' ? 'groups' : ''}
          help={help}
          error={add.error?.errorOf(`/${name}`)}
        />
      ))}
    </FormDialog>
  )
}

interface OfProvider {
  readonly provider: Provider
  readonly onClose: () => void
}

function SecretReplacement({ provider: { id, name }, onClose }: OfProvider) {
  const change = useWrite('PATCH /organizations/{org_id}/sign-in-providers/{provider_id}')
  return (
    <FormDialog
      title={`Replace the client secret of ${name}`}
      onClose={onClose}
      write={change}
      fields={['/clientSecret']}
      submitLabel="Replace secret"
      onSubmit={(form) =>
        change.mutate({
          params: { provider_id: id },
          body: { clientSecret: fieldsOf(form)('clientSecret') },
          onSuccess: onClose,
        })
      }
    >
      <TextField
        label="Client secret"
        name="clientSecret"
        type="password"
        autoComplete="off"
        autoFocus
        help="The next sign-in uses it."
        error={change.error?.errorOf('/clientSecret')}
      />
    </FormDialog>
  )
}

function RemoveDialog({ provider: { id, name }, onClose }: OfProvider) {
  const remove = useWrite('DELETE /organizations/{org_id}/sign-in-providers/{provider_id}')
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove provider"
      write={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({
          params: { provider_id: id },
          onSuccess: () => {
            showToast({ text: `${name} was removed.` })
            onClose()
          },
        })
      }
    >
      Everybody who signed in with it is signed out immediately. People without a password cannot
      sign in until you add a provider again. Their first sign-in links them to it.
    </ConfirmDialog>
  )
}
