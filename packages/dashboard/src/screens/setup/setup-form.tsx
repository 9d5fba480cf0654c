import type { KeyAccess } from '@signalbox/contract'
import { useState, type FormEvent } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { RadioGroup } from '../../components/radio-group.tsx'
import { FormProblem } from '../../components/states.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'
import { accessOptions } from '../keys/key-form.ts'

interface SetupFormProps {
  readonly token: string
  readonly onDone: (answer: AnswerOf<'POST /setup'>) => void
}

const fields = ['/name', '/email', '/password', '/organizationName']

/** Creates the owner of this server. */
export function SetupForm({ token, onDone }: SetupFormProps) {
  const setUp = useWrite('POST /setup')
  const { error } = setUp

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setUp.mutate({ body: { token, ...readAnswers(event.currentTarget) } }, { onSuccess: onDone })
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
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          help="At least 12 characters. A sentence is fine."
          error={error?.errorOf('/password')}
        />
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
