import type { CliError } from './cli-error.ts'
import { createLimit, type Limit } from './limit.ts'
import { printable } from './printable.ts'
import { withProgramName } from './program-name.ts'
import { redactTokens } from './redact.ts'
import { createStyles, wantsColor, type Styles } from './styles.ts'

/** Describes the parts of a stream that are used. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

/** Describes where and how a command prints. */
export interface OutputOptions {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Partial<Record<string, string>>>
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly color: boolean | undefined
  /** Names this program in commands, as the person starts it. Example: `npx --no-install signalbox`. */
  readonly program: string
}

/**
 * Describes where each kind of line goes. Data and results go to stdout, messages to stderr. With `--json`, stdout
 * carries one document and nothing else.
 */
export interface Output {
  readonly styles: Styles
  readonly errorStyles: Styles
  readonly json: boolean
  /** Shortens long lists, unless `--json` or `--verbose` is on. */
  readonly limit: Limit
  /** Prints the data that was asked for, even with `--quiet`. */
  data(text: string): void
  /** Prints data as it is, without a line end, even with `--quiet` and `--json`. */
  raw(text: string): void
  /** Prints the result of the command. */
  result(text: string): void
  /** Prints a step or advice, unless `--json` or `--quiet` is on. */
  note(text: string): void
  /** Prints a warning of a command that succeeds. */
  warn(text: string): void
  /** Prints to stderr before another program takes over the streams: a line, or a document with `--json`. */
  status(body: Readonly<Record<string, unknown>>, text: string): void
  /** Prints details, only with `--verbose`. */
  detail(text: string): void
  /** Prints the one document of `--json`. Does nothing without it. */
  document(body: Readonly<Record<string, unknown>>): void
}

/** Creates the output for the two streams by the global flags. */
export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, env, json, quiet, verbose, color, program } = options
  const styles = createStyles(wantsColor(env, stdout.isTTY === true, color))
  const errorStyles = createStyles(wantsColor(env, stderr.isTTY === true, color))
  const warnings: string[] = []
  const talk = (text: string) => {
    if (!json && !quiet) stderr.write(`${withProgramName(text, program)}\n`)
  }
  const mark = (text: string) => `${errorStyles.yellow('!')} ${text}\n`
  return {
    styles,
    errorStyles,
    json,
    limit: createLimit(verbose || json),
    data: (text) => {
      if (!json) stdout.write(`${text}\n`)
    },
    raw: (text) => {
      stdout.write(text)
    },
    result: (text) => {
      if (!json && !quiet) stdout.write(`${text}\n`)
    },
    note: talk,
    warn: (text) => {
      if (json) warnings.push(text)
      else stderr.write(mark(text))
    },
    status: (body, text) => {
      stderr.write(json ? `${JSON.stringify({ status: { ...body, warnings } })}\n` : mark(text))
    },
    detail: (text) => {
      if (verbose && !json) stderr.write(`${errorStyles.dim(text)}\n`)
    },
    document: (body) => {
      if (!json) return
      const whole = warnings.length === 0 ? body : { ...body, warnings }
      stdout.write(`${JSON.stringify(whole, undefined, 2)}\n`)
    },
  }
}

/** Returns the error as `--json` writes it to stderr. */
export function renderErrorDocument(error: CliError): string {
  return redactTokens(
    JSON.stringify({
      error: {
        code: error.code,
        message: error.message,
        ...(error.details.length === 0 ? {} : { details: error.details }),
        hint: error.advice ?? null,
        docs: error.docs ?? null,
      },
    }),
  )
}

/** Returns the error for people: what is wrong, where, and how to fix it. `program` names this one in commands. */
export function renderError(
  error: CliError,
  { styles, limit, program }: Pick<Output, 'limit' | 'styles'> & { readonly program: string },
): string {
  const { message, docs } = error
  const details = limit.lines(error.details)
  const advice = limit.lines(
    withProgramName(error.advice ?? '', program)
      .split('\n')
      .filter((line) => line !== ''),
  )
  return [
    `${styles.red('✗')} ${clean(message)}`,
    ...details.map((line) => `  ${clean(line)}`),
    ...advice.map((line, index) => `  ${styles.dim(index === 0 ? 'fix:' : '    ')} ${clean(line)}`),
    ...(docs === undefined ? [] : [`  ${styles.dim(docs)}`]),
  ].join('\n')
}

function clean(text: string): string {
  return printable(redactTokens(text))
}
