import { useState } from 'react'
import { LetterTile } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { FormProblem } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ConnectForm } from './connect-form.tsx'
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
      <Notes choices={choices} isAgain={isAgain} />
      <div className="flex flex-wrap gap-2">
        {ready.map((choice) => (
          <Button
            key={choice.provider}
            variant={choice === open ? 'plain' : 'primary'}
            pending={pending === choice.provider}
            onClick={() => connect(choice)}
          >
            <LetterTile {...choice.icon} />
            {labelOf(choice, isAgain)}
          </Button>
        ))}
      </div>
      {!isAgain &&
        ready.map((choice) => (
          <OtherLevels
            key={choice.provider}
            choice={choice}
            pending={pending === choice.provider}
            onConnect={(level) => {
              reset()
              setEntered(undefined)
              void authorize(choice, level)
            }}
          />
        ))}
      {open !== undefined && open.form !== null && (
        <ConnectForm
          kind={kind}
          choice={{ ...open, form: open.form }}
          onClose={() => setEntered(undefined)}
        />
      )}
    </div>
  )
}

/** Returns the level with which a connection is made again. `undefined`: the usual one. */
function levelOf(integration: Integration, choice: Choice): 'read' | 'full' | undefined {
  if (choice.readOnlyAdvice !== null && integration.level === 'read') return 'read'
  return hasMoreAccess(integration, choice) ? 'full' : undefined
}

interface NotesProps {
  readonly choices: readonly Choice[]
  readonly isAgain: boolean
}

/** Says of each provider what has to be connected before it, or what connecting it grants. */
function Notes({ choices, isAgain }: NotesProps) {
  return choices.map(({ provider, needs, note }) => {
    // The button of what is connected again needs no explanation.
    const text = needs ?? (isAgain ? null : note)
    return (
      text !== null && (
        <p key={provider} className="text-muted">
          {text}
        </p>
      )
    )
  })
}

interface LevelsProps {
  readonly choice: Choice
  readonly pending: boolean
  readonly onConnect: (level: 'read' | 'full') => void
}

/** Offers to connect a provider with less or more than the usual access, and says what that is for. Renders nothing where there is none. */
function OtherLevels({ choice, pending, onConnect }: LevelsProps) {
  const { displayName, readOnlyAdvice, moreAccess } = choice
  const others = [
    { level: 'read', name: 'for reading only', advice: readOnlyAdvice },
    { level: 'full', name: 'with more access', advice: moreAccess?.advice ?? null },
  ] as const
  return others.map(
    ({ level, name, advice }) =>
      advice !== null && (
        <div key={level} className="flex flex-col items-start gap-1">
          <Button pending={pending} onClick={() => onConnect(level)}>
            Connect {displayName} {name}
          </Button>
          <p className="text-sm text-muted">{advice}</p>
        </div>
      ),
  )
}
