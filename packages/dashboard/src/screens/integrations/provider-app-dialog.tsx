import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/code.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { toExactTime } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import { toProviderApp, type ProviderApp } from './provider-app.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { secretInput, TextArea, TextField } from '../../components/field.tsx'

interface ProviderAppDialogProps {
  readonly app: ProviderApp
  readonly onClose: () => void
}

/** Shows the values to enter at the provider, and takes the ones from there. */
export function ProviderAppDialog({ app, onClose }: ProviderAppDialogProps) {
  const save = useWrite('PUT /server/provider-apps/{provider}')
  const { provider } = app
  const { error } = save
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = toProviderApp(app, fieldsOf(event.currentTarget))
    save.mutate({
      params: { provider },
      body,
      onSuccess: () => {
        showToast({ text: `${app.displayName} is set up.` })
        onClose()
      },
    })
  }
  return (
    <Dialog
      shape="drawer"
      isForm
      title={app.setUpAdvice === null ? `${app.displayName} application` : app.displayName}
      description={
        app.setUpAdvice ?? (
          <>
            Register it{' '}
            <OutsideLink href={app.registerUrl} className="underline">
              at {app.displayName}
            </OutsideLink>{' '}
            with these addresses, then enter what {app.displayName} shows.
          </>
        )
      }
      onClose={onClose}
    >
      <ProviderAppFacts app={app} />
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={app.fields.map(({ name }) => `/${name}`)} />
        <ProviderAppFields app={app} problem={error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={save.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Shows what the application has at the provider: its addresses, and the options to tick. */
function ProviderAppFacts({ app }: Pick<ProviderAppDialogProps, 'app'>) {
  const { displayName, setUpAdvice, callbackUrl, webhookUrl, previousSecretUntil } = app
  return (
    <>
      {setUpAdvice === null && <Address label="Callback" url={callbackUrl} />}
      {webhookUrl !== null && <Webhooks name={displayName} url={webhookUrl} />}
      <Words label="Scopes" words={app.scopes} />
      <Words
        label="Permissions"
        words={Object.entries(app.permissions).map(([name, level]) => `${name}: ${level}`)}
      />
      <Words label="Events" words={app.events} />
      {previousSecretUntil !== null && (
        <p className="text-muted">
          Signalbox accepts the old secret until {toExactTime(previousSecretUntil)}.
        </p>
      )}
    </>
  )
}

interface WebhooksProps {
  /** Names the provider. */
  readonly name: string
  readonly url: string
}

function Webhooks({ name, url }: WebhooksProps) {
  return (
    <>
      <Address label="Webhooks" url={url} />
      {isUnreachable(url) && (
        <p className="text-muted">
          {name} can’t reach this server at its current address. Enter the webhook URL anyway: it
          leads nowhere, and Signalbox asks {name} for deployments instead. When the server has a
          public address, change the URL there.
        </p>
      )}
    </>
  )
}

/** Returns whether an address only fills the provider's form: the name is reserved for that (RFC 6761 section 6.4). */
function isUnreachable(webhookUrl: string): boolean {
  return new URL(webhookUrl).hostname.endsWith('.invalid')
}

/** Shows the options to tick at the provider. */
function Words({ label, words }: { readonly label: string; readonly words: readonly string[] }) {
  if (words.length === 0) return null
  return (
    <div>
      <div className="font-medium">{label}</div>
      <ul className="flex flex-wrap gap-1">
        {words.map((word) => (
          <li key={word} className="rounded bg-raised px-1.5 font-mono text-sm break-all">
            {word}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Address({ label, url }: { readonly label: string; readonly url: string }) {
  return (
    <div>
      <div className="font-medium">{label}</div>
      <div className="flex items-center gap-2 rounded bg-raised py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{url}</code>
        <CopyButton text={url} label={`Copy the address for ${label.toLowerCase()}`} />
      </div>
    </div>
  )
}

interface ProviderAppFieldsProps {
  readonly app: ProviderApp
  readonly problem: ApiProblem | null
}

/** Renders the fields of the provider's application in its order. Secrets can be entered and are never shown. */
function ProviderAppFields({ app, problem }: ProviderAppFieldsProps) {
  return app.fields.map((field) => (
    <ApplicationField
      key={field.name}
      field={field}
      isStored={app.isStored}
      error={problem?.errorOf(`/${field.name}`)}
    />
  ))
}

interface ApplicationFieldProps {
  readonly field: ProviderApp['fields'][number]
  readonly isStored: boolean
  readonly error: string | undefined
}

function ApplicationField({ field, isStored, error }: ApplicationFieldProps) {
  const { name, label, isSecret, isMultiline, placeholder, value } = field
  const stored = isSecret && isStored ? 'Leave it empty to keep the stored value.' : null
  const common = {
    label,
    name,
    help: [field.hint, stored].filter((text) => text !== null).join(' ') || undefined,
    error,
    ...(placeholder !== null && { placeholder }),
    ...(isSecret ? secretInput : { defaultValue: value ?? '', autoComplete: 'off' }),
  }
  if (isMultiline) return <TextArea {...common} isCode />
  return <TextField {...common} {...(isSecret && { type: 'password' })} />
}
