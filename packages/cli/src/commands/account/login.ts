import { defineCommand, type FlagValues } from '../../action.ts'
import { askForServer } from '../../ask-server.ts'
import { assertReachable } from '../../api/assert-reachable.ts'
import { describeIdentity } from '../../api/describe-identity.ts'
import { globalFlags, switchFlag } from '../../cli-context.ts'
import { storeToken } from '../../credentials/credentials-file.ts'
import { logInByBrowser } from '../../device-login/log-in-by-browser.ts'
import { nameServerSource, type ServerChoice } from '../../project/choose-server.ts'
import { assertPrivateConnection } from '../../project/server-url.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'

const loginFlags = {
  yes: { ...globalFlags.yes, hidden: true },
  token: switchFlag('Prompt for a token, such as a server key, instead of signing in'),
  noBrowser: switchFlag('Print the address, and open no browser'),
  server: { ...globalFlags.server, hidden: false },
  tokenStdin: { ...globalFlags.tokenStdin, hidden: false },
  profile: { ...globalFlags.profile, hidden: false },
} as const

type LoginFlags = FlagValues<typeof loginFlags>

async function login(initialSession: Session, flags: LoginFlags): Promise<void> {
  const session = initialSession.flags.tokenStdin
    ? initialSession
    : await askForServer(initialSession)
  const choice = await session.server()
  const { url } = choice
  const { output } = session
  assertPrivateConnection(url, session.env)
  const token = await findToken(session, flags, choice)
  if (token === undefined) {
    output.document({ server: url, profile: session.profile, stored: false })
    output.result(`Would ask you to authorize this machine at ${url}.`)
    return
  }
  const api = await session.apiWith(token)
  const identity = await session.progress(`Checking the token with ${url}`, () => api.whoAmI())
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
  output.note(output.errorStyles.dim(`  stored in ${path}`))
}

/** Returns a token. `undefined` in a dry run, because a new token would stay on the server. */
async function findToken(
  session: Session,
  { token, noBrowser }: LoginFlags,
  choice: ServerChoice,
): Promise<string | undefined> {
  const { url } = choice
  const piped = session.flags.tokenStdin ? await session.findToken() : undefined
  if (piped !== undefined) return piped.token
  const { blockedBy } = session.prompts
  const source = nameServerSource(choice, session.env)
  if (blockedBy !== undefined) {
    // A token helps nobody with a wrong address.
    await session.progress(`Asking ${url}`, () => assertReachable(url, source))
    throw new CliError('usage', 'token_required', `Can't prompt for sign-in: ${blockedBy}.`, {
      advice: `Pipe a token: printf %s "$TOKEN" | signalbox login --token-stdin --server ${url}\nThe setup page and ${url} give you one.`,
    })
  }
  if (token !== true) {
    if (session.flags.dryRun === true) return undefined
    return logInByBrowser(session, { url, source, opensBrowser: noBrowser !== true })
  }
  session.output.note(
    `A token comes from the setup page (the link the server prints at its first start) or from ${url}.`,
  )
  return (await session.prompts.hidden(`Token for ${url}`)).trim()
}

/** Defines `signalbox login`. */
export const loginCommand = defineCommand({
  about:
    'Shows a code that you authorize in a browser, on this machine or another, and stores the token in a file that only you can read. Asks for the address of the server if no setting names it. With --token it prompts for a token that you already have; --token-stdin reads one from stdin.',
  examples: [
    'signalbox login',
    'signalbox login --token',
    'printf %s "$TOKEN" | signalbox login --token-stdin --server https://signalbox.example.com',
  ],
  flags: loginFlags,
  run: login,
})
