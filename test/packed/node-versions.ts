import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A Node to run the packages with: the one of the lockfile, and the machine's own when there is another. */
export interface NodeVersion {
  readonly version: string
  readonly path: string
}

/** Every Node on the PATH, each version once, the one of the lockfile first. */
export function findNodeVersions(): NodeVersion[] {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const paths = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path))
  const found = [process.execPath, ...paths].map((path) => ({
    path,
    version: execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(),
  }))
  return found.filter(
    (each, index) => found.findIndex(({ version }) => version === each.version) === index,
  )
}

/** Returns whether `version` satisfies a range of the form `>=22.18`. */
export function satisfies(version: string, range: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = range.replace('>=', '').split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
