import { CliError } from '../terminal/cli-error.ts'

/** Names what becomes of the line ends of Windows in a value. */
export const lineEndChoices = ['keep', 'lf'] as const

/** Says what becomes of the line ends of Windows. */
export type LineEndChoice = (typeof lineEndChoices)[number]

/**
 * Returns the value with the line ends that the person wants. A value with those of Windows is not stored unasked:
 * some programs read the carriage return as a part of the line.
 *
 * @throws {CliError} `line_ends`
 */
export function chooseLineEnds(
  key: string,
  value: string,
  choice: LineEndChoice | undefined,
): string {
  if (!value.includes('\r\n') || choice === 'keep') return value
  if (choice === 'lf') return value.replaceAll('\r\n', '\n')
  throw new CliError(
    'usage',
    'line_ends',
    `The value of ${key} has Windows line endings (CRLF), which many programs don't expect.`,
    {
      advice:
        'Convert them with --crlf lf, which suits keys and certificates\nor store them unchanged with --crlf keep',
    },
  )
}
