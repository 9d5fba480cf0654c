import { useState } from 'react'
import { call } from '../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import { useRead } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { LetterTile } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { useMe } from '../../session/session.ts'
import type { Integration } from './integration.ts'
import { ProviderAppDialog } from './provider-app-dialog.tsx'
import type { ProviderApp } from './provider-app.ts'
import { usePanel } from './use-panel.ts'

interface SetUpProviderProps {
  readonly integration: Integration
}

/**
 * Gives an operator the buttons that set up applications of this server at the providers that have none. Tells anybody else who
 * can, as long as there is none at all: nobody connects an organization before.
 */
export function SetUpProvider({ integration: { kind, nextStep, isSetUp } }: SetUpProviderProps) {
  const isOperator = useMe().data?.isOperator === true
  const apps = useRead('GET /server/provider-apps', { enabled: isOperator })
  // A provider that can be connected already comes first.
  const variant = isSetUp ? 'plain' : 'primary'
  if (!isOperator) {
    return isSetUp ? null : (
      <p className="text-muted">{nextStep} Operators are the owners of its first organization.</p>
    )
  }
  return (
    <Loaded query={apps}>
      {({ items }) => (
        <div className="flex flex-col gap-4">
          {items
            .filter((app) => app.kind === kind && !app.isSetUp)
            .map((app) =>
              app.setupUrl === null ? (
                <EnterApplication key={app.provider} app={app} variant={variant} />
              ) : (
                <CreateApplication
                  key={app.provider}
                  app={app}
                  setupUrl={app.setupUrl}
                  variant={variant}
                />
              ),
            )}
        </div>
      )}
    </Loaded>
  )
}

interface ApplicationProps {
  readonly app: ProviderApp
  readonly variant: 'plain' | 'primary'
}

/** Lets a person register an application at the provider by hand, and enter it here. */
function EnterApplication({ app, variant }: ApplicationProps) {
  const { open } = usePanel()
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">
        {app.setUpAdvice ??
          `${app.displayName} needs an application for this server. The next step shows the URLs to copy.`}
      </p>
      <div>
        <Button variant={variant} onClick={() => open({ panel: 'app', of: app.provider })}>
          <LetterTile {...app.icon} />
          Set up {app.displayName}
        </Button>
      </div>
      <ChosenApplication app={app} />
    </div>
  )
}

interface CreateApplicationProps extends ApplicationProps {
  readonly setupUrl: string
}

/** Lets the provider create the application in one click, or takes an existing one. */
function CreateApplication({ app, setupUrl, variant }: CreateApplicationProps) {
  const { open } = usePanel()
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const { provider, displayName } = app

  const create = async (organization: string) => {
    setPending(true)
    setProblem(null)
    const query = organization === '' ? {} : { organization }
    try {
      // Asks for the password here, where it can be entered, and checks the name. The page then begins anew.
      await call('GET /server/provider-apps/{provider}/manifest', { params: { provider }, query })
      location.assign(`${setupUrl}?${new URLSearchParams(query).toString()}`)
    } catch (error) {
      setProblem(toApiProblem(error))
      setPending(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void create(fieldsOf(event.currentTarget)('organization').trim())
      }}
    >
      <p className="text-muted">
        {displayName} creates the App with the permissions that Signalbox needs. Its keys are stored
        on this server, encrypted.
      </p>
      <FormProblem problem={problem} fields={['/organization']} />
      <div className="max-w-80">
        <TextField
          label={`${displayName} organization (optional)`}
          name="organization"
          placeholder="acme"
          help="The App will belong to it. Leave it empty for your own account."
          error={problem?.errorOf('/organization')}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={variant} pending={isPending}>
          <LetterTile {...app.icon} />
          Create the {displayName} App
        </Button>
        <Button onClick={() => open({ panel: 'app', of: provider })}>Enter an existing App</Button>
      </div>
      <ChosenApplication app={app} />
    </form>
  )
}

/** Shows the form of the application while the address names it. */
function ChosenApplication({ app }: { readonly app: ProviderApp }) {
  const { panel, of, close } = usePanel()
  if (panel !== 'app' || of !== app.provider) return null
  return <ProviderAppDialog app={app} onClose={close} />
}
