import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { KeyAccess } from '@signalbox/contract'
import type { AnswerOf } from '../../api/routes.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'
import { forgetFragment, readFragment } from '../../browser/read-fragment.ts'
import { CodeBlock } from '../../components/code.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useWrite } from '../../api/use-api.ts'
import { Checkbox, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { PasswordField } from '../../shell/password-field.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { FormProblem } from '../../components/states.tsx'
import { accessOptions } from '../keys/key-form.ts'

/** Shows the first start: it creates the owner, and the keys for the first program. */
export function SetupScreen() {
  const [token] = useState(() => readFragment('token'))
  // Holds keys that are shown once, so no cache keeps it.
  const [done, setDone] = useState<AnswerOf<'POST /setup'>>()

  if (done !== undefined) return <SetupDone done={done} />
  if (token === '') {
    return (
      <SignedOutLayout title="Set up this server">
        <p role="alert">
          This link has no one-time token. Open the setup link that the server printed when it
          started.
        </p>
        <p className="text-sm text-muted">The link works once. Is this server set up already?</p>
        <Link to="/" className={buttonClass('plain')}>
          Go to the start page
        </Link>
      </SignedOutLayout>
    )
  }
  return (
    <SetupForm
      token={token}
      onDone={(answer) => {
        forgetFragment()
        setDone(answer)
      }}
    />
  )
}

const kinds = {
  rly: ['Relay key', 'Feeds a relay. It expires in 90 days.'],
  m2m: [
    'Server key',
    'Reads everything in the organization, including secrets. Keep it on servers. It expires in 90 days.',
  ],
  b2m: [
    'Browser key',
    'Reads only public values and feature flags. It is safe in a web page. It expires in 90 days.',
  ],
} as const

const writingKey =
  'Reads and writes everything in the organization, including secrets. Keep it on servers. It expires in 90 days.'

/** Shows the new keys once, and the next steps. */
function SetupDone({ done }: { readonly done: AnswerOf<'POST /setup'> }) {
  const { organization, keys, environments, configUrl } = done
  const [environment] = environments
  const [first] = keys
  return (
    <SignedOutLayout
      isWide
      title={`${organization.name} is set up`}
      lead={`${keys.length === 1 ? 'This key is' : 'These keys are'} shown only once. Copy ${keys.length === 1 ? 'it' : 'them'} now.`}
    >
      {keys.map(({ kind, access, secret }) => {
        const [title, help] = kinds[kind]
        const said = access === 'write' ? writingKey : help
        return <SecretOnce key={kind} title={title} help={said} secret={secret} />
      })}
      {first !== undefined && (
        <>
          <h2 className="font-semibold">Put the key into .env.local, outside of git</h2>
          <CodeBlock code={`SIGNALBOX_TOKEN=${first.secret}`} />
        </>
      )}
      <h2 className="font-semibold">Describe your configuration, in your project’s folder</h2>
      <CodeBlock code={firstCommands(location.origin, environment?.name ?? 'development')} />
      <h2 className="font-semibold">Read it in your application</h2>
      <CodeBlock code={firstProgram(configUrl, environment)} />
      <Link to="/$org" params={{ org: organization.slug }} className={buttonClass('primary')}>
        Open the dashboard
      </Link>
    </SignedOutLayout>
  )
}

/** Returns the first commands of a new user. */
function firstCommands(serverUrl: string, environment: string): string {
  return [
    'npm install ../signalbox/packages/config ../signalbox/packages/cli # where your clone is',
    `npx --no-install signalbox login --server ${serverUrl}`,
    'npx --no-install signalbox init',
    `npx --no-install signalbox push --env ${environment}`,
  ].join('\n')
}

/** Returns a first program that reads a value. */
function firstProgram(
  configUrl: string,
  environment: { readonly id: string; readonly name: string } | undefined,
): string {
  return [
    "import { createConfigClient } from '@signalbox/config/client'",
    '',
    'const config = createConfigClient({',
    `  serverUrl: '${configUrl}',`,
    "  token: process.env.SIGNALBOX_TOKEN ?? '',",
    "  schemaId: 'sch_…', // printed by the push",
    `  environmentId: '${environment?.id ?? 'env_…'}', // ${environment?.name ?? ''}`,
    '})',
    '',
    "await config.get('apiUrl')",
    "await config.flag('newCheckout')",
  ].join('\n')
}

interface SetupFormProps {
  readonly token: string
  readonly onDone: (answer: AnswerOf<'POST /setup'>) => void
}

const fields = ['/name', '/email', '/password', '/organizationName']

/** Creates the owner of this server. */
function SetupForm({ token, onDone }: SetupFormProps) {
  const setUp = useWrite('POST /setup')
  const { error } = setUp

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setUp.mutate({ body: { token, ...readAnswers(event.currentTarget) }, onSuccess: onDone })
  }
  return (
    <SignedOutLayout
      title="Set up this server"
      lead="You become its owner. It takes a minute, and this link works once."
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={fields} />
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          autoFocus
          error={error?.errorOf('/name')}
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          error={error?.errorOf('/email')}
        />
        <PasswordField isNew error={error?.errorOf('/password')} />
        <TextField
          label="Name of your organization"
          name="organizationName"
          autoComplete="organization"
          help="It starts with the environments development, staging and production."
          error={error?.errorOf('/organizationName')}
        />
        <ServerKeyField />
        <Button type="submit" variant="primary" pending={setUp.isPending}>
          Set up
        </Button>
      </form>
    </SignedOutLayout>
  )
}

function readAnswers(form: HTMLFormElement) {
  const field = fieldsOf(form)
  return {
    name: field('name'),
    email: field('email'),
    password: field('password'),
    organizationName: field('organizationName'),
    withServerKey: new FormData(form).has('withServerKey'),
    serverKeyAccess: field('access') === 'write' ? ('write' as const) : ('read' as const),
  }
}

function ServerKeyField() {
  const [isWanted, setWanted] = useState(false)
  const [access, setAccess] = useState<KeyAccess>('read')
  return (
    <>
      <Checkbox
        name="withServerKey"
        label="Create a server key too"
        help="It reads everything in the organization, including secrets. You can also create one later."
        checked={isWanted}
        onChange={(event) => setWanted(event.currentTarget.checked)}
      />
      {isWanted && (
        <RadioGroup
          legend="Access of the server key"
          name="access"
          value={access}
          onChange={setAccess}
          options={accessOptions}
        />
      )}
    </>
  )
}
