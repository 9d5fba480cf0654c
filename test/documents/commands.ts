import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { listHelp } from '../../packages/cli/src/testing/list-help.ts'
import { root, type Finding } from '../architecture/source-files.ts'
import { findInText, type FencedBlock, type MarkdownFile } from './markdown-files.ts'

/** Commands of ours in shell blocks that do not exist, and flags that they do not have. */
export function unknownCommands(block: FencedBlock): Finding[] {
  const text = `${'\n'.repeat(block.line - 1)}${block.text.replaceAll(/ #.*$/gm, '')}`
  const scripts = { ...scriptsOf('.'), ...scriptsOf(posix.dirname(block.path)) }
  return [
    ...findInText({ path: block.path, text }, /\bnpm (?:run )?([a-z-]+)/g, ([, name = '']) =>
      Object.hasOwn(scripts, name) || npmCommands.has(name)
        ? undefined
        : `there is no npm script ${name}`,
    ),
    ...findInText(
      { path: block.path, text },
      /\bsignalbox ([a-z][a-z-]*)(?![a-z-]*:\/\/)([^\n|;&]*)/g,
      (match) => {
        const [, name = '', rest = ''] = match
        const help = helpOf(name)
        if (help === undefined) return `there is no command signalbox ${name}`
        // Arguments after -- belong to the program that is run.
        const [own = ''] = rest.split(' -- ')
        const flags = [...own.matchAll(/(--[a-z][a-z-]*)/g)].map(([, flag = '']) => flag)
        const wrong = flags.find((flag) => !help.includes(flag))
        return wrong === undefined ? undefined : `signalbox ${name} has no ${wrong}`
      },
    ),
  ]
}

/** Programs of ours that npm would fetch from a registry, in which nothing of ours is published: the name may be anybody's. */
export function foreignPrograms(file: MarkdownFile): Finding[] {
  return findInText(
    file,
    /\b(?:npx|npm exec|pnpm dlx|yarn dlx|bunx)(?: (?!--no-install)-\S+)* (@?signalbox[\w/-]*)/g,
    ([, name = '']) => `npx would fetch ${name} from a registry: npx --no-install ${name}`,
  )
}

/** The npm scripts of a directory: a document beside a manifest may speak of its scripts. */
function scriptsOf(directory: string): object {
  const path = join(root, directory, 'package.json')
  if (!existsSync(path)) return {}
  const manifest: { readonly scripts?: object } = JSON.parse(readFileSync(path, 'utf8'))
  return manifest.scripts ?? {}
}

const npmCommands = new Set(['ci', 'install', 'exec', 'test', 'start', 'run', 'pack'])

const helpOfAll = await listHelp()

/** Returns the help of a command and of those below it. */
function helpOf(name: string): string | undefined {
  const command = `signalbox ${name}`
  const helps = [...helpOfAll].filter(([each]) => `${each} `.startsWith(`${command} `))
  return helps.length === 0 ? undefined : helps.map(([, help]) => help).join('\n')
}
