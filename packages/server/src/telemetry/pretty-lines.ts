import type { DestinationStream } from 'pino'
import { PinoPretty } from 'pino-pretty'
import { standardOutput } from './log.ts'

/**
 * Renders log lines for people instead of JSON. A module of its own, so that a service that writes JSON does not load
 * it.
 */
export function prettyLines(destination: DestinationStream = standardOutput()): DestinationStream {
  const render = PinoPretty.prettyFactory({
    colorize: process.stdout.isTTY,
    messageKey: 'message',
    timestampKey: 'time',
    translateTime: 'HH:MM:ss',
    singleLine: true,
    ignore: 'error',
  })
  return {
    write: (line) => {
      destination.write(render(line) + renderError(line))
    },
  }
}

/** Renders the error of a line, one stack frame on each line. */
function renderError(line: string): string {
  const { error }: { error?: { name: string; code?: string; stack?: string[] } } = JSON.parse(line)
  if (error === undefined) return ''
  const frames = (error.stack ?? []).map((frame) => `\n      at ${frame}`)
  return `    ${[error.name, error.code].filter(Boolean).join(' ')}${frames.join('')}\n`
}
