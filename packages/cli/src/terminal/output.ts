import type { CliError } from './cli-error.ts'
import { printable } from './printable.ts'
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
}

/**
 * Where each kind of line goes. Data and results go to stdout, talk goes to stderr;
 * with `--json` stdout carries one document and nothing else.
 */
export interface Output {
  readonly styles: Styles
  readonly errorStyles: Styles
  readonly json: boolean
  /** Returns what was asked for; printed even with `--quiet`. */
  data(text: string): void
  /** The report of what was done. */
  result(text: string): void
  /** Talk: steps, hints. */
  note(text: string): void
  /** Something to look at although it worked. */
  warn(text: string): void
  /** Something to look at before a program takes the streams over: a line, or with `--json` a document, on stderr. */
  status(body: Readonly<Record<string, unknown>>, text: string): void
  /** Only with `--verbose`. */
  detail(text: string): void
  /** The one document of `--json`; does nothing otherwise. */
  document(body: Readonly<Record<string, unknown>>): void
}

/** Writes to the two streams as the global flags ask. */
export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, env, json, quiet, verbose, color } = options
  const styles = createStyles(wantsColor(env, stdout.isTTY === true, color))
  const errorStyles = createStyles(wantsColor(env, stderr.isTTY === true, color))
  const warnings: string[] = []
  const talk = (text: string) => {
    if (!json && !quiet) stderr.write(`${text}\n`)
  }
  const mark = (text: string) => `${errorStyles.yellow('!')} ${text}\n`
  return {
    styles,
    errorStyles,
    json,
    data: (text) => {
      if (!json) stdout.write(`${text}\n`)
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

/** The error as `--json` writes it to stderr. */
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

/** The error as a person reads it: what is wrong, where, and what to do. */
export function renderError(error: CliError, styles: Styles): string {
  const { message, details, docs } = error
  const advice = error.advice?.split('\n') ?? []
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
