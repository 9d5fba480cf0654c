import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { type CliContext, type GlobalFlags, globalFlags } from '../../cli-context.ts'
import { forgetToken } from '../../credentials/credentials-file.ts'
import type { Session } from '../../session.ts'

async function logout(session: Session): Promise<void> {
  const { url } = await session.server()
  const { output, flags, env, profile } = session
  const forgotten = flags.dryRun ? false : await forgetToken(env, profile, url)
  output.document({ server: url, profile, forgotten })
  if (flags.dryRun) output.result(`The token for ${url} would be forgotten.`)
  else if (forgotten)
    output.result(
      `${output.styles.green('✓')} Forgot the token for ${url}. It stays valid until it is revoked.`,
    )
  else output.result(`There was no token for ${url}.`)
  if ((env['SIGNALBOX_TOKEN'] ?? '') !== '') output.warn('SIGNALBOX_TOKEN is still set.')
}

/** Defines `signalbox logout`. */
export const logoutCommand = buildCommand<GlobalFlags, [], CliContext>({
  func: action(logout),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'Forget the token for a server',
    fullDescription: describe(
      'Deletes the kept token. The server is not told: revoke the token there if it leaked.',
      ['signalbox logout'],
    ),
  },
})
