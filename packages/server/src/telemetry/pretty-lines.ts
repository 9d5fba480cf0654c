import { styleText } from 'node:util'
import type { DestinationStream } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { DescribedError } from './describe-error.ts'
import { requestMessage, standardOutput } from './log.ts'

/** Configures the lines for people. */
export interface PrettyOptions {
  /** Receives the lines. Default: standard output. */
  readonly destination?: DestinationStream
  /** Writes the line of each request too. Default false: they push everything else off the screen. */
  readonly requests?: boolean
}

/**
 * Renders log lines for people instead of JSON: `19:01:15  ! Could not write the disk cache  path: snapshots`. A module
 * of its own, so that a service that writes JSON does not load it.
 */
export function prettyLines(options: PrettyOptions = {}): DestinationStream {
  const { destination = standardOutput(), requests = false } = options
  const render = PinoPretty.prettyFactory({
    colorize: false,
    messageKey: 'message',
    hideObject: true,
    ignore: 'level,time',
    messageFormat: (line) => renderLine(line),
  })
  return {
    write: (line) => {
      const { message }: { message?: string } = JSON.parse(line)
      if (requests || message !== requestMessage) destination.write(render(line))
    },
  }
}

const marks: Readonly<Record<string, string>> = {
  warn: styleText('yellow', '! '),
  error: styleText('red', '✗ '),
}

/** Renders what happened, then its fields in grey, then one line for each stack frame of its error. */
function renderLine(line: Readonly<Record<string, unknown>>): string {
  const { time, level, message, error, ...fields } = line
  const details = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}`)
  const words = [
    styleText('dim', new Date(String(time)).toLocaleTimeString('en-GB')),
    `${marks[String(level)] ?? ''}${visible(String(message))}`,
    ...(details.length === 0 ? [] : [styleText('dim', visible(details.join(', ')))]),
  ]
  return [words.join('  '), ...(isDescribed(error) ? renderError(error) : [])].join('\n')
}

function renderError({ name, code, stack = [] }: DescribedError): string[] {
  const kind = [name, code].filter((word) => word !== undefined).join(' ')
  return [kind, ...stack.map((frame) => `at ${frame}`)].map((text) =>
    styleText('dim', `          ${visible(text)}`),
  )
}

function isDescribed(error: unknown): error is DescribedError {
  return typeof error === 'object' && error !== null && 'name' in error
}

/** Shows control characters in the form `\u001b`: text from outside must not steer the terminal. */
function visible(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
