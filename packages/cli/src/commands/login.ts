import { buildCommand } from '@stricli/core'
import { action, describe } from '../action.ts'
import { askForServer } from '../ask-server.ts'
import type { Identity } from '../api/operations.ts'
import { type CliContext, type GlobalFlags, globalFlags } from '../cli-context.ts'
import { storeToken } from '../credentials/credentials-file.ts'
import { assertPrivateConnection } from '../project/server-url.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'

async function login(opened: Session): Promise<void> {
  const session = opened.flags.tokenStdin ? opened : await askForServer(opened)
  const { url } = await session.server()
  const { output } = session
  assertPrivateConnection(url, session.env)
  const token = await askForToken(session, url)
  const api = await session.apiWith(token)
  const identity = await session.progress(`Asking ${url} whose token this is`, () => api.whoAmI())
  output.document({
    server: url,
    profile: session.profile,
    name: identity.name,
    type: identity.type,
    organizations: identity.organizations.map(({ slug }) => slug),
    stored: !session.flags.dryRun,
  })
  if (session.flags.dryRun) {
    output.result(`${describeIdentity(identity)}. The token is valid; nothing was stored.`)
    return
  }
  const path = await storeToken(session.env, session.profile, url, token)
  output.result(`${output.styles.green('✓')} Signed in to ${url} as ${describeIdentity(identity)}`)
  output.note(output.errorStyles.dim(`  kept in ${path}`))
}

async function askForToken(session: Session, url: string): Promise<string> {
  const piped = session.flags.tokenStdin ? await session.findToken() : undefined
  if (piped !== undefined) return piped.token
  const { blockedBy } = session.prompts
  if (blockedBy !== undefined) {
    throw new CliError('usage', 'token_required', `The token cannot be asked for: ${blockedBy}.`, {
      hint: `Pipe it: printf %s "$TOKEN" | signalbox login --token-stdin --server ${url}\nThe setup page and ${url} give you one.`,
    })
  }
  session.output.note(
    `A token comes from the setup page (the link the server prints at its first start) or from ${url}.`,
  )
  return (await session.prompts.hidden(`Token for ${url}`)).trim()
}

/** Who it is and what they reach, in one line. */
export function describeIdentity({ type, name, email, keyKind, organizations }: Identity): string {
  const kind =
    type === 'api_key'
      ? `${keyKind === 'b2m' ? 'browser' : 'server'} key`
      : type === 'user'
        ? ''
        : type
  const who = [name, email === null ? '' : `<${email}>`].filter((part) => part !== '').join(' ')
  const places = organizations
    .map(({ slug, role }) => (role === null ? slug : `${slug} (${role})`))
    .join(', ')
  return [kind, who, places === '' ? '' : `in ${places}`].filter((part) => part !== '').join(' ')
}

export const loginCommand = buildCommand<GlobalFlags, [], CliContext>({
  func: action(login),
  parameters: {
    flags: {
      ...globalFlags,
      yes: { ...globalFlags.yes, hidden: true },
      server: { ...globalFlags.server, hidden: false },
      tokenStdin: { ...globalFlags.tokenStdin, hidden: false },
      profile: { ...globalFlags.profile, hidden: false },
    },
  },
  docs: {
    brief: 'Keep a token for a server',
    fullDescription: describe(
      'Checks a token and keeps it in a file only you can read. The address of the server is asked for where nothing names it. The token is asked for without showing it, or read from the standard input; it is never a flag.',
      [
        'signalbox login',
        'printf %s "$TOKEN" | signalbox login --token-stdin --server https://signalbox.example.com',
      ],
    ),
  },
})
