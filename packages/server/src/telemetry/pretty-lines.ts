import type { DestinationStream } from 'pino'
import { PinoPretty } from 'pino-pretty'
import { standardOutput } from './log.ts'

/** Lines for people instead of JSON. In a module of its own, because a service that writes JSON should not hold it in memory. */
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

/** The error of a line, one frame a line, so that it can be read. */
function renderError(line: string): string {
  const { error }: { error?: { name: string; code?: string; stack?: string[] } } = JSON.parse(line)
  if (error === undefined) return ''
  const frames = (error.stack ?? []).map((frame) => `\n      at ${frame}`)
  return `    ${[error.name, error.code].filter(Boolean).join(' ')}${frames.join('')}\n`
}
