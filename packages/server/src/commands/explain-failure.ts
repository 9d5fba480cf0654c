import { Problem } from '@signalbox/contract'
import { SettingsError } from '../settings.ts'
import { errorCodeOf } from '../store/error-code.ts'
import { sqlStateOf } from '../store/store-problem.ts'
import { OperatorError } from '../store/operator-error.ts'
import { UsageError } from './command.ts'
import { Interrupted } from './interruption.ts'

/** Describes the printed failure of a command, in the form the `signalbox` command prints its own failures. */
export interface Failure {
  /** Stable and lower snake case, for scripts. */
  readonly code: string
  readonly message: string
  /** Lines below the message: one per wrong setting, or where a bug is. */
  readonly details: readonly string[]
  readonly hint: string | undefined
  /** 1: failed; 2: wrong usage or settings; 130: interrupted. */
  readonly exitCode: number
}

const systemAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'Another program uses this port. Choose other ports with SIGNALBOX_API_PORT and SIGNALBOX_DELIVERY_PORT.',
  EADDRNOTAVAIL: 'SIGNALBOX_HOST must be an address of this machine.',
  ENOSPC: 'Make room on the disk.',
}

/** Explains an error: what the person can mend becomes a sentence and a next step; what only we can mend keeps its stack. */
export function explainFailure(error: unknown): Failure {
  const bare = { details: [], hint: undefined, exitCode: 1 }
  if (error instanceof OperatorError) {
    const { code, message, advice } = error
    return { ...bare, code, message, hint: advice, exitCode: exitCodeOf(error) }
  }
  if (error instanceof SettingsError) {
    const { headline: message, violations: details } = error
    return { ...bare, code: 'invalid_settings', message, details, exitCode: 2 }
  }
  if (error instanceof Problem) return { ...bare, code: error.code, message: error.message }
  const code = errorCodeOf(error) ?? ''
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Error && 'syscall' in error)
    return { ...bare, code: code.toLowerCase(), message, hint: systemAdvice[code] }
  if (sqlStateOf(error) === '42501') {
    return {
      ...bare,
      code: 'database_rights',
      message: `The database refused: ${message}.`,
      hint: 'The user of DATABASE_URL must own the database and be allowed to create roles.',
    }
  }
  return {
    ...bare,
    code: 'internal',
    message: `Signalbox hit an unexpected error: ${message}`,
    details: error instanceof Error ? (error.stack ?? '').split('\n').slice(1) : [],
  }
}

function exitCodeOf(error: OperatorError): number {
  if (error instanceof UsageError) return 2
  return error instanceof Interrupted ? 130 : 1
}

/** Renders the failure as one JSON document, or as a person reads it. */
export function renderFailure(
  { code, message, details, hint }: Failure,
  { json }: { readonly json: boolean },
): string {
  if (json) {
    const listed = details.length === 0 ? {} : { details }
    return JSON.stringify({ error: { code, message, ...listed, hint: hint ?? null, docs: null } })
  }
  const lines = [`✗ ${message}`, ...details.map((line) => `  ${line.trimStart()}`)]
  if (hint !== undefined) lines.push(`  fix: ${hint}`)
  return lines.join('\n')
}
