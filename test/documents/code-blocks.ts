import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../architecture/source-files.ts'
import type { FencedBlock } from './markdown-files.ts'

const cache = join(root, 'node_modules/.cache/documents')

/** Returns the compiler's errors of the TypeScript blocks, as `path:line message` of the documents. */
export function checkTypes(blocks: readonly FencedBlock[]): string[] {
  rmSync(cache, { recursive: true, force: true })
  // A block that adds to a module's types would add to those of all others, so it is a program of its own.
  const alone = blocks.filter(({ text }) => text.includes('declare module'))
  const bound = blocks.filter((block) => !alone.includes(block) && hooks.test(block.text))
  const together = blocks.filter((block) => !alone.includes(block) && !bound.includes(block))
  return [together, bound, ...alone.map((block) => [block])].flatMap((program, index) =>
    program.length === 0 ? [] : compile(program, join(cache, String(index))),
  )
}

/** Finds the blocks whose hooks take the keys of a registered definition, and no other. */
const hooks = /from '@signalbox\/(?:react|next)(?:\/context)?'/
/** Registers the definition of an example, which has the keys of the guides. */
const registration = "import '../../../../examples/vite-app/signalbox.config.ts'\n"

function compile(blocks: readonly FencedBlock[], folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  const origin = new Map<string, string>()
  for (const [index, { path, line, text, language }] of blocks.entries()) {
    const file = `block-${index}.${language}`
    origin.set(file, path)
    // A block keeps its line numbers, and is a module even when it imports nothing.
    writeFileSync(join(folder, file), `${'\n'.repeat(line - 1)}${text}\nexport {}\n`)
  }
  if (blocks.some(({ text }) => hooks.test(text) && !text.includes('declare module'))) {
    writeFileSync(join(folder, 'registration.ts'), registration)
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
      line.replace(
        /^(block-\d+\.tsx?)\((\d+),\d+\): /,
        (_, file: string, at: string) => `${origin.get(file) ?? file}:${at} `,
      ),
    )
}

const config = {
  extends: '../../../../tsconfig.tests.json',
  compilerOptions: { jsx: 'react-jsx' },
  include: ['*.ts', '*.tsx'],
  exclude: [],
}
