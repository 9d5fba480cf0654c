import { CliError } from '../terminal/cli-error.ts'

/** Marks the beginning and the end of our block. All other lines are the user's. */
const openMark = '# >>> signalbox'
const closeMark = '# <<< signalbox'

/** Describes the comment above the generated lines. */
export interface BlockHeader {
  readonly environment: string
  readonly version: number
  readonly writtenAt: string
  readonly dialect: string
  /** Maps a variable to its key, where the name does not show it. */
  readonly keys: ReadonlyMap<string, string>
}

/** Holds the parts of a file: the generated block, and the lines around it. */
export interface SplitFile {
  readonly before: string
  readonly block: string | undefined
  readonly after: string
}

/** Divides a file into the user's lines and our block. */
export function splitAtBlock(text: string, path: string): SplitFile {
  const lines = text.split(/(?<=\n)/)
  const opens = indexesOf(lines, openMark)
  const closes = indexesOf(lines, closeMark)
  const [open] = opens
  const [close] = closes
  if (open === undefined && close === undefined)
    return { before: text, block: undefined, after: '' }
  if (
    open === undefined ||
    close === undefined ||
    close < open ||
    opens.length + closes.length > 2
  ) {
    throw new CliError(
      'validation',
      'broken_markers',
      `The signalbox marker lines in ${path} do not form one pair.`,
      {
        advice: `Keep one pair of lines "${openMark} …" and "${closeMark}", or delete both lines and everything between them.`,
      },
    )
  }
  return {
    before: lines.slice(0, open).join(''),
    block: lines.slice(open, close + 1).join(''),
    after: lines.slice(close + 1).join(''),
  }
}

function indexesOf(lines: readonly string[], mark: string): number[] {
  return lines.flatMap((line, index) => (line.startsWith(mark) ? [index] : []))
}

/** Returns the block with its marker lines. It ends with a line break. */
export function renderBlock(header: BlockHeader, lines: readonly string[]): string {
  const { environment, version, writtenAt, dialect, keys } = header
  return [
    `${openMark} ${environment} v${version} ${writtenAt} (${dialect})`,
    '# Written by "signalbox pull". Do not edit up to the closing line: the next pull replaces it.',
    ...[...keys].map(([name, key]) => `# ${name} is ${key}`),
    ...lines,
    closeMark,
    '',
  ].join('\n')
}

/** Returns the file with our block replaced, or appended when there was none. */
export function joinFile({ before, block, after }: SplitFile, replacement: string): string {
  if (block !== undefined) return `${before}${replacement}${after}`
  if (before === '') return replacement
  return `${before}${before.endsWith('\n') ? '' : '\n'}\n${replacement}`
}
