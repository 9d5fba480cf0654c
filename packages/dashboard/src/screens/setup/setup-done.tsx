import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/routes.ts'
import { buttonClass } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'

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
export function SetupDone({ done }: { readonly done: AnswerOf<'POST /setup'> }) {
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
