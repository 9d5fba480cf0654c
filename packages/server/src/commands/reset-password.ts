import { resetPassword } from '../identity/account/reset-password.ts'
import { OperatorError } from '../store/operator-error.ts'
import { UsageError, type Command } from './command.ts'
import { openCommandStore } from './open-command-store.ts'

/** Sets a new password for a person who has forgotten theirs, and prints it once. Safe beside the running service. */
export const resetPasswordCommand: Command = async ({ settings, operands, json, terminal }) => {
  const [email] = operands
  if (email === undefined) {
    throw new UsageError(
      'The e-mail address of the person is missing.',
      'signalbox-server reset-password ada@example.com',
    )
  }
  const store = await openCommandStore(settings())
  try {
    const reset = await resetPassword({ store }, email)
    if (reset === undefined) {
      throw new OperatorError(`No account has the address ${JSON.stringify(email)}.`, {
        code: 'not_found',
        advice: 'The Members page lists the addresses of an organization.',
      })
    }
    const { password, sessionsEnded } = reset
    if (json) terminal.out(JSON.stringify({ email, password, sessionsEnded }))
    else {
      // The password alone where only results are looked at: `signalbox reset-password … | pass insert …`.
      terminal.err(`New password of ${email}, shown only once. Ended ${sessionsEnded} sessions.`)
      terminal.out(password)
      terminal.err('Send it in a way you trust. The person can change it under "Your account".')
    }
    return 0
  } finally {
    await store.close()
  }
}
