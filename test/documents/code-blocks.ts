import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../architecture/source-files.ts'
import type { FencedBlock } from './markdown-files.ts'

const folder = join(root, 'node_modules/.cache/documents')

/** What the compiler says of the TypeScript blocks, as `path:line message`, where they stand in the documents. */
export function checkTypes(blocks: readonly FencedBlock[]): string[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const origin = new Map<string, string>()
  for (const [index, { path, line, text, language }] of blocks.entries()) {
    const file = `block-${index}.${language}`
    origin.set(file, path)
    // A block keeps its line numbers, and is a module even when it imports nothing.
    writeFileSync(join(folder, file), `${'\n'.repeat(line - 1)}${text}\nexport {}\n`)
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      line.replace(/^(block-\d+\.tsx?)\((\d+),\d+\): /, (_, file: string, at: string) => {
        return `${origin.get(file) ?? file}:${at} `
      }),
    )
}

const config = {
  extends: '../../../tsconfig.tests.json',
  compilerOptions: { jsx: 'react-jsx' },
  include: ['*.ts', '*.tsx'],
  exclude: [],
}
