import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ToolDefinition } from './tool-list.ts'
import { inFolder, unpackPackages } from './unpack-packages.ts'

/** Libraries are unpacked beside the program. What else a package depends on is for its installation as a daemon. */
const isLibrary = (name: string) => /^(?:lib|zlib1g)/.test(name) && !name.includes('perl')

/**
 * Unpacks a package of Debian 13 into `folder` with the libraries that it needs, and returns the path of a script there that starts
 * the program of the folder's name.
 * Nothing is installed and nobody has to be root: apt keeps its lists in the folder, and checks Debian's signatures.
 *
 * @throws {Error} where there is no apt, none of Debian's keys, or no way to the archive.
 */
export async function fetchPackage(tool: ToolDefinition, folder: string): Promise<string> {
  return inFolder(folder, async (work) => {
    const root = await unpack(tool, work)
    const [program] = globSync(`usr/{sbin,bin}/${basename(folder)}`, { cwd: root })
    if (program === undefined) throw new Error(`the package ${tool.package} has no such program.`)
    const starter = join(work, basename(folder))
    await writeFile(starter, renderStarter(root, program, folder), { mode: 0o755 })
  })
}

async function unpack(tool: ToolDefinition, work: string): Promise<string> {
  return unpackPackages(work, {
    suite: 'trixie',
    packages: [tool.package],
    isWanted: (name) => name === tool.package || isLibrary(name),
  })
}

/** Renders the script that starts the program, with the libraries that it came with: they may be newer than those of the system. */
function renderStarter(root: string, program: string, folder: string): string {
  const at = (path: string) => `"${join(folder, 'root', path)}"`
  const [loader] = globSync('usr/{lib64,lib}/ld-linux*', { cwd: root })
  const [libraries] = globSync('usr/lib/*-linux-gnu*', { cwd: root })
  const command =
    loader === undefined || libraries === undefined
      ? at(program)
      : `${at(loader)} --library-path ${at(libraries)} ${at(program)}`
  return `#!/bin/sh\nexec ${command} "$@"\n`
}
