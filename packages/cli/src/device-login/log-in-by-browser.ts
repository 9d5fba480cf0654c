import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { printable } from '../terminal/printable.ts'
import { askDevice, type DeviceCode } from './ask-device.ts'
import { isPageOf } from './is-page-of.ts'
import { openPage } from './open-page.ts'
import { waitForToken } from './wait-for-token.ts'

/** Describes a sign-in by the browser. */
export interface LogInByBrowser {
  readonly url: string
  /** Names the flag, variable or file that names the server. */
  readonly source: string
  readonly opensBrowser: boolean
}

/**
 * Gets a personal token: the person approves this machine in a browser in which they are signed in (RFC 8628). The
 * browser may be on another machine.
 *
 * @throws {CliError} `login_denied`, `login_expired`, `interrupted`, `login_not_offered`, `unreachable`
 */
export async function logInByBrowser(
  session: Session,
  { url, source, opensBrowser }: LogInByBrowser,
): Promise<string> {
  const server = askDevice(url, source)
  const code = await session.progress(`Asking ${url} for a code`, () => server.begin())
  // Handles Ctrl+C before the text that mentions it is printed.
  return runInterruptibly(async (sleep) => {
    showCode(session, code)
    // Another server's page is only printed, not opened: it may imitate this one.
    const isOwnPage = isPageOf(code.pageUrl, url) && isPageOf(code.completeUrl, url)
    if (!isOwnPage) {
      session.output.warn(
        `This page is on another server than ${url}. Authorize the code only if you know the address.`,
      )
    }
    if (opensBrowser && isOwnPage) openPage(code.completeUrl, session.env)
    return session.progress('Waiting for you to authorize it', () =>
      waitForToken({ server, code, sleep, nowMs: () => performance.now() }),
    )
  })
}

function showCode({ output, flags }: Session, code: DeviceCode): void {
  const { bold } = output.errorStyles
  const minutes = Math.round(code.lifetimeSeconds / 60)
  const text = `Open ${printable(code.pageUrl)} in a browser, and authorize this code there:\n\n    ${bold(printable(code.userCode))}\n\nExpires in ${minutes} minutes. Ctrl+C cancels.`
  // Printed with --quiet too, because the sign-in cannot go on without it.
  if (flags.quiet === true) output.warn(text)
  else output.note(text)
}

/** Runs `work` until it ends or somebody presses Ctrl+C, which ends its next sleep at once. */
async function runInterruptibly<T>(
  work: (sleep: (ms: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  const interrupt = () => {
    abort.abort()
  }
  process.once('SIGINT', interrupt)
  try {
    return await work(async (ms) => {
      try {
        await delay(ms, undefined, { signal: abort.signal })
      } catch (cause) {
        throw new CliError('interrupted', 'interrupted', 'Cancelled. No token was stored.', {
          cause,
        })
      }
    })
  } finally {
    process.off('SIGINT', interrupt)
  }
}
