import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ToolDefinition } from './tool-list.ts'
import { inFolder, unpackPackages } from './unpack-packages.ts'

/** Leaves out Python, which is the system's, and the libraries that it has loaded already. */
const ofSystem =
  /^(?:python3|python3-minimal|python3(?:\.\d+)?(?:-minimal)?|libc6|libgcc-s1|libstdc\+\+6|libpython.*|libssl3)$/

/**
 * Unpacks a program that is written in Python into `folder`, with the packages that it needs, and returns the path of a script there
 * that starts it with the system's Python. So the packages are those of the system's own release.
 *
 * @throws {Error} where the system is no Debian, has no Python, or there is no way to the archive.
 */
export async function fetchFromPython(
  tool: ToolDefinition,
  also: readonly string[],
  folder: string,
): Promise<string> {
  if (!existsSync('/usr/bin/python3')) throw new Error('this system has no /usr/bin/python3.')
  const release = await readFile('/etc/os-release', 'utf8')
  const [, suite] = /^VERSION_CODENAME=(\w+)$/m.exec(release) ?? []
  if (suite === undefined || !/^ID=debian$/m.test(release))
    throw new Error('this system is no release of Debian.')
  return inFolder(folder, async (work) => {
    const root = await unpackPackages(work, {
      suite,
      packages: [tool.package, ...also],
      isWanted: (name) =>
        /^(?:python3-|lib)/.test(name) ? !ofSystem.test(name) : name === tool.package,
    })
    const [program] = globSync(`usr/{sbin,bin}/${basename(folder)}`, { cwd: root })
    if (program === undefined) throw new Error(`the package ${tool.package} has no such program.`)
    const [libraries = 'usr/lib'] = globSync('usr/lib/*-linux-gnu*', { cwd: root })
    const at = (path: string) => `"${join(folder, 'root', path)}"`
    const lines = [
      '#!/bin/sh',
      `export PYTHONPATH=${at('usr/lib/python3/dist-packages')} LD_LIBRARY_PATH=${at(libraries)}`,
      `exec /usr/bin/python3 ${at(program)} "$@"`,
    ]
    await writeFile(join(work, basename(folder)), `${lines.join('\n')}\n`, { mode: 0o755 })
  })
}
