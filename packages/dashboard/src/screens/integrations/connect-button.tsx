import { useState, type FormEvent } from 'react'
import { LetterTile } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { FormProblem } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useWrite } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { secretInput, TextField } from '../../components/field.tsx'
import { showToast } from '../../components/toasts.tsx'
import { hasMoreAccess, isConnected, type Choice, type Integration } from './integration.ts'
import { useConnect } from './use-connect.ts'

/** Returns the text of the button. A provider that asks for nothing uses a connection that is there. */
function labelOf({ displayName, form }: Choice, isAgain: boolean): string {
  if (isAgain) return `Connect ${displayName} again`
  return form?.fields.length === 0 ? `Use ${displayName}` : `Connect ${displayName}`
}

/**
 * Opens the provider's authorization, which returns here, or the form by which the provider is connected. A provider that shares a
 * connection is connected by the press alone.
 */
export function ConnectButton({ integration }: { readonly integration: Integration }) {
  const { can } = useOrganization()
  const { kind, state, provider: current } = integration
  const { pending, problem, reset, share, authorize } = useConnect(kind)
  const [entered, setEntered] = useState<string>()
  const isAgain = isConnected(state)

  const connect = (choice: Choice) => {
    const { provider, form } = choice
    reset()
    setEntered(form !== null && form.fields.length > 0 ? provider : undefined)
    // A connection that is made again keeps its level.
    if (form === null) void authorize(choice, isAgain ? levelOf(integration, choice) : undefined)
    else if (form.fields.length === 0) share(choice)
  }
  if (!can('admin')) return <p className="text-muted">Ask an admin to connect it.</p>
  const choices = integration.choices.filter(({ provider }) => !isAgain || provider === current)
  const ready = choices.filter(({ needs }) => needs === null)
  const open = ready.find(({ provider }) => provider === entered)
  return (
    <div className="flex flex-col gap-2">
      <FormProblem problem={problem} />
      {/* The button of what is connected again needs no explanation. */}
      {!isAgain && <Sentences texts={ready.map(({ note }) => note)} />}
      <div className="flex flex-wrap gap-2">
        {ready.map((choice) => (
          <Ways
            key={choice.provider}
            choice={choice}
            isAgain={isAgain}
            isOpen={choice === open}
            pending={pending === choice.provider}
            onConnect={() => connect(choice)}
            onLevel={(level) => {
              reset()
              setEntered(undefined)
              void authorize(choice, level)
            }}
          />
        ))}
      </div>
      {open !== undefined && open.form !== null && (
        <ConnectForm
          kind={kind}
          choice={{ ...open, form: open.form }}
          onClose={() => setEntered(undefined)}
        />
      )}
      <Sentences texts={choices.map(({ needs }) => needs)} />
    </div>
  )
}

/** Returns the level with which a connection is made again. `undefined`: the usual one. */
function levelOf(integration: Integration, choice: Choice): 'read' | 'full' | undefined {
  if (choice.readOnlyAdvice !== null && integration.level === 'read') return 'read'
  return hasMoreAccess(integration, choice) ? 'full' : undefined
}

/** Says of each provider what connecting it grants, or what has to be connected before it. */
function Sentences({ texts }: { readonly texts: readonly (string | null)[] }) {
  return texts.map(
    (text) =>
      text !== null && (
        <p key={text} className="text-muted">
          {text}
        </p>
      ),
  )
}

interface WaysProps {
  readonly choice: Choice
  readonly isAgain: boolean
  /** Says whether its form is open, whose button is the next to press. */
  readonly isOpen: boolean
  readonly pending: boolean
  readonly onConnect: () => void
  readonly onLevel: (level: 'read' | 'full') => void
}

/** Offers to connect a provider: with the usual access, and below that with less or more, and says what that is for. */
function Ways({ choice, isAgain, isOpen, pending, onConnect, onLevel }: WaysProps) {
  const { displayName, icon } = choice
  const others = isAgain ? [] : listOtherLevels(choice)
  const usual = (
    <Button variant={isOpen ? 'plain' : 'primary'} pending={pending} onClick={onConnect}>
      <LetterTile {...icon} />
      {labelOf(choice, isAgain)}
    </Button>
  )
  if (others.length === 0) return usual
  return (
    <div className="mt-2 flex basis-full flex-col items-start gap-2 first:mt-0">
      {usual}
      {others.map(({ level, name, advice }) => (
        <div key={level} className="flex flex-col items-start gap-1">
          <Button pending={pending} onClick={() => onLevel(level)}>
            Connect {displayName} {name}
          </Button>
          <p className="text-sm text-muted">{advice}</p>
        </div>
      ))}
    </div>
  )
}

/** Lists the levels of access beside the usual one, each with what it is for. */
function listOtherLevels({ readOnlyAdvice, moreAccess }: Choice) {
  const others = [
    { level: 'read', name: 'for reading only', advice: readOnlyAdvice },
    { level: 'full', name: 'with more access', advice: moreAccess?.advice ?? null },
  ] as const
  return others.filter(({ advice }) => advice !== null)
}

interface ConnectFormProps {
  readonly kind: Integration['kind']
  readonly choice: Choice & { readonly form: NonNullable<Choice['form']> }
  readonly onClose: () => void
}

/** Takes the values by which a provider is connected. The server checks them at the provider before it stores them. */
function ConnectForm({ kind, choice, onClose }: ConnectFormProps) {
  const connect = useWrite('POST /organizations/{org_id}/integrations/{kind}/connection')
  const { provider, displayName, form } = choice
  const { error } = connect
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = fieldsOf(event.currentTarget)
    const values = Object.fromEntries(form.fields.map(({ name }) => [name, read(name)]))
    connect.mutate({
      params: { kind },
      body: { provider, values },
      onSuccess: () => {
        showToast({ text: `${displayName} is connected.` })
        onClose()
      },
    })
  }
  return (
    <form
      className="flex max-w-120 flex-col gap-3"
      noValidate
      aria-label={`Connect ${displayName}`}
      onSubmit={submit}
    >
      <p className="text-muted">{form.advice}</p>
      <FormProblem problem={error} fields={form.fields.map(({ name }) => `/values/${name}`)} />
      {form.fields.map(({ name, label, isSecret, isRequired, hint, placeholder }, index) => (
        <TextField
          key={name}
          autoFocus={index === 0}
          label={isRequired ? label : `${label} (optional)`}
          name={name}
          help={hint ?? undefined}
          error={error?.errorOf(`/values/${name}`)}
          {...(placeholder !== null && { placeholder })}
          {...(isSecret ? { ...secretInput, type: 'password' } : { autoComplete: 'off' })}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={connect.isPending}>
          Connect
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
