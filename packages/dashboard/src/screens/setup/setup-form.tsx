import type { FormEvent } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'

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
    const field = fieldsOf(event.currentTarget)
    const body = {
      token,
      name: field('name'),
      email: field('email'),
      password: field('password'),
      organizationName: field('organizationName'),
      withServerKey: new FormData(event.currentTarget).has('withServerKey'),
    }
    setUp.mutate({ body }, { onSuccess: onDone })
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

function ServerKeyField() {
  return (
    <Checkbox
      name="withServerKey"
      label="Create a server key too"
      help="It reads and writes everything in the organization, including secrets. You can also create one later."
    />
  )
}
