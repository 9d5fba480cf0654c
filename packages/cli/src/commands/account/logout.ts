import { defineCommand } from '../../action.ts'
import { forgetToken } from '../../credentials/credentials-file.ts'
import type { Session } from '../../session.ts'

async function logout(session: Session): Promise<void> {
  const { url } = await session.server()
  const { output, flags, env, profile } = session
  const forgotten = flags.dryRun ? false : await forgetToken(env, profile, url)
  output.document({ server: url, profile, forgotten })
  if (flags.dryRun) output.result(`Would delete the stored token for ${url}.`)
  else if (forgotten)
    output.result(
      `${output.styles.green('✓')} Deleted the stored token for ${url}. It stays valid until you revoke it.`,
    )
  else output.result(`There is no stored token for ${url}.`)
  if ((env['SIGNALBOX_TOKEN'] ?? '') !== '') output.warn('SIGNALBOX_TOKEN is still set.')
}

/** Defines `signalbox logout`. */
export const logoutCommand = defineCommand({
  about:
    'Deletes the stored token from this machine. It stays valid: if it leaked, revoke it on the server.',
  examples: ['signalbox logout'],
  run: logout,
})
