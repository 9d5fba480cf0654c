import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Lists the files that say which sources an application has. Templates of Vite name the second in the first. */
const projectFiles = ['tsconfig.app.json', 'tsconfig.json'] as const

/**
 * Returns the folder that the compiler reads where it does not read the root of the project: `src` in a project of
 * `npm create vite`. A definition beside that folder registers no types. `undefined` where the root is read too.
 */
export async function findUnreachedFolder(directory: string): Promise<string | undefined> {
  for (const name of projectFiles) {
    const text = await readFile(join(directory, name), 'utf8').catch(() => undefined)
    const include = text === undefined ? undefined : readInclude(text)
    if (include === undefined) continue
    const folders = include.map(
      (pattern) => /^(?:\.\/)?([\w-][\w.-]*)(?:\/.*)?$/.exec(pattern)?.[1],
    )
    const [folder] = folders
    const isUnreached = folders.every((each) => each !== undefined && !each.includes('.'))
    return isUnreached && folder !== undefined && (await isFolder(join(directory, folder)))
      ? folder
      : undefined
  }
  return undefined
}

/** Returns the strings of `include`, which stands in a file with comments. `undefined` where there is none. */
function readInclude(text: string): string[] | undefined {
  const list = /^\s*"include"\s*:\s*\[([^\]]*)\]/m.exec(text)?.[1]
  return list === undefined
    ? undefined
    : [...list.matchAll(/"([^"]*)"/g)].map(([, pattern = '']) => pattern)
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
