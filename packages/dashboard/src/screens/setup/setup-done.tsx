import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/routes.ts'
import { buttonClass } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'
import { firstCommands, firstProgram } from './first-steps.ts'

const kinds = {
  m2m: [
    'Server key',
    'Reads and writes everything in the organization, secrets included. Keep it on servers.',
  ],
  b2m: [
    'Browser key',
    'Reads public values and feature flags, nothing else. It is safe in a web page.',
  ],
} as const

/** Shows the new keys once, and the next steps. */
export function SetupDone({ done }: { readonly done: AnswerOf<'POST /setup'> }) {
  const { organization, keys, environments, configUrl } = done
  const [environment] = environments
  return (
    <SignedOutLayout
      title={`${organization.name} is set up`}
      lead="Two keys to begin with. They are shown only once: copy them now."
    >
      {keys.map(({ kind, secret }) => {
        const [title, help] = kinds[kind]
        return <SecretOnce key={kind} title={title} help={help} secret={secret} />
      })}
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
