import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, type Finding } from '../architecture/source-files.ts'

export interface MarkdownFile {
  readonly path: string
  readonly text: string
}

/** A fenced block. `line` is that of its first line of content. */
export interface FencedBlock {
  readonly path: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** The file that the block shows, which stands behind the language. Example: `examples/next-app/app/page.tsx`. */
  readonly shows?: string
}

/** Every Markdown file of the repository, also those that are not committed yet. */
export function readMarkdownFiles(): MarkdownFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'],
    { cwd: root, encoding: 'utf8' },
  )
  return [...new Set(listed.split('\0').filter(Boolean))]
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The fenced blocks of `file`, in order. */
export function fencedBlocks({ path, text }: MarkdownFile): FencedBlock[] {
  const blocks: FencedBlock[] = []
  let open: Omit<FencedBlock, 'path' | 'text'> | undefined
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const fence = /^\s*```(\S*)(?: +(\S+))?/.exec(line)
    if (fence === null) continue
    const [, language = '', shows] = fence
    if (open === undefined) {
      open = { line: index + 2, language, ...(shows !== undefined && { shows }) }
    } else {
      blocks.push({ path, ...open, text: lines.slice(open.line - 1, index).join('\n') })
      open = undefined
    }
  }
  return blocks
}

/** Blocks that show a file of the repository, and not as it is. */
export function differingBlocks(blocks: readonly FencedBlock[]): Finding[] {
  return blocks.flatMap(({ path, line, shows, text }) => {
    if (shows === undefined) return []
    const file = join(root, shows)
    if (!existsSync(file)) return [{ path, line, detail: `there is no ${shows}` }]
    const isSame = readFileSync(file, 'utf8').trimEnd() === text
    return isSame ? [] : [{ path, line, detail: `differs from ${shows}` }]
  })
}

/** The text without its fenced blocks and code spans, with every line where it was. */
export function withoutCode(text: string): string {
  let fenced = false
  return text
    .split('\n')
    .map((line) => {
      const fence = /^\s*```/.test(line)
      if (fence) fenced = !fenced
      return fence || fenced ? '' : line.replaceAll(/`[^`]*`/g, (code) => ' '.repeat(code.length))
    })
    .join('\n')
}

/** A finding for each match of `pattern` that `judge` has something to say about. */
export function findInText(
  { path, text }: MarkdownFile,
  pattern: RegExp,
  judge: (match: RegExpExecArray) => string | undefined,
): Finding[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const detail = judge(match)
    if (detail === undefined) return []
    return [{ path, line: text.slice(0, match.index).split('\n').length, detail }]
  })
}
