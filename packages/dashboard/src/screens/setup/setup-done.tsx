import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/routes.ts'
import { buttonLook } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { Door } from '../../shell/door.tsx'
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

/** The keys, which are shown this once, and what to do with them. */
export function SetupDone({ done }: { readonly done: AnswerOf<'POST /setup'> }) {
  const { organization, keys, environments, configUrl } = done
  const [environment] = environments
  return (
    <Door
      title={`${organization.name} is set up`}
      lead="Two keys to begin with. They are shown only once: copy them now."
    >
      {keys.map(({ kind, secret }) => {
        const [title, hint] = kinds[kind]
        return <SecretOnce key={kind} title={title} hint={hint} secret={secret} />
      })}
      <h2 className="font-semibold">Describe your configuration, in your project’s folder</h2>
      <CodeBlock code={firstCommands(location.origin, environment?.name ?? 'development')} />
      <h2 className="font-semibold">Read it in your application</h2>
      <CodeBlock code={firstProgram(configUrl, environment)} />
      <Link to="/$org" params={{ org: organization.slug }} className={buttonLook('primary')}>
        Open the dashboard
      </Link>
    </Door>
  )
}
