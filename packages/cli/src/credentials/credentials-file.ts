import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { isRecord, parseJsonObject } from '../project/json.ts'
import { writeFileAtomically } from '../project/write-file.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Maps profiles and servers to tokens. Example: `{ profiles: { default: { 'http://127.0.0.1:4400': { token } } } }`. */
interface CredentialsFile {
  readonly version: 1
  readonly profiles: Readonly<Record<string, Readonly<Record<string, { readonly token: string }>>>>
}

type Env = Readonly<Partial<Record<string, string>>>

/** Returns `$XDG_CONFIG_HOME/signalbox/credentials.json`, by default below `~/.config`. */
function credentialsPath(env: Env): string {
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'signalbox', 'credentials.json')
}

/** Returns the stored token for a server, if any. */
export async function findStoredToken(
  env: Env,
  profile: string,
  serverUrl: string,
): Promise<string | undefined> {
  const file = await readCredentials(env)
  const servers = Object.hasOwn(file.profiles, profile) ? file.profiles[profile] : undefined
  return servers !== undefined && Object.hasOwn(servers, serverUrl)
    ? servers[serverUrl]?.token
    : undefined
}

/** Returns whether the user has signed in to a server, in whatever profile. */
export async function isKnownServer(env: Env, serverUrl: string): Promise<boolean> {
  const { profiles } = await readCredentials(env)
  return Object.values(profiles).some((servers) => Object.hasOwn(servers, serverUrl))
}

/** Lists the servers that a profile has a token for. */
export async function listKnownServers(env: Env, profile: string): Promise<string[]> {
  const { profiles } = await readCredentials(env)
  return Object.keys((Object.hasOwn(profiles, profile) && profiles[profile]) || {})
}

/** Stores a token for a server, readable by this user alone. */
export async function storeToken(
  env: Env,
  profile: string,
  serverUrl: string,
  token: string,
): Promise<string> {
  const file = await readCredentials(env)
  const servers = { ...file.profiles[profile], [serverUrl]: { token } }
  return writeCredentials(env, { version: 1, profiles: { ...file.profiles, [profile]: servers } })
}

/** Forgets the token for a server; false when there was none. */
export async function forgetToken(env: Env, profile: string, serverUrl: string): Promise<boolean> {
  const file = await readCredentials(env)
  const { [serverUrl]: forgotten, ...rest } = file.profiles[profile] ?? {}
  if (forgotten === undefined) return false
  await writeCredentials(env, { version: 1, profiles: { ...file.profiles, [profile]: rest } })
  return true
}

async function writeCredentials(env: Env, file: CredentialsFile): Promise<string> {
  const path = credentialsPath(env)
  const directory = dirname(path)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
  await writeFileAtomically(path, `${JSON.stringify(file, undefined, 2)}\n`, 0o600)
  return path
}

async function readCredentials(env: Env): Promise<CredentialsFile> {
  const path = credentialsPath(env)
  const text = await readOwnFile(path)
  if (text === undefined) return { version: 1, profiles: {} }
  const parsed = parseFile(text)
  if (parsed === undefined) {
    throw new CliError(
      'authentication',
      'credentials_unreadable',
      `${path} is not a credentials file.`,
      {
        advice: `Delete the file and sign in: signalbox login`,
      },
    )
  }
  return parsed
}

async function readOwnFile(path: string): Promise<string | undefined> {
  try {
    await refuseOpenToOthers(path)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Refuses a file that others can read. Windows has no such modes: there the user's folder protects the file. */
async function refuseOpenToOthers(path: string): Promise<void> {
  const { mode } = await stat(path)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  const octalMode = (mode & 0o777).toString(8).padStart(4, '0')
  throw new CliError(
    'authentication',
    'credentials_exposed',
    `${path} can be read by others (mode ${octalMode}).`,
    {
      advice: `chmod 600 ${path}\nand replace the tokens in it if other people use this machine`,
    },
  )
}

function parseFile(text: string): CredentialsFile | undefined {
  const file = parseJsonObject(text)
  if (file?.['version'] !== 1 || !isRecord(file['profiles'])) return undefined
  const profiles = Object.entries(file['profiles']).map(([name, servers]) => [
    name,
    tokensOf(servers),
  ])
  return { version: 1, profiles: Object.fromEntries(profiles) }
}

function tokensOf(servers: unknown): Record<string, { token: string }> {
  const entries = Object.entries(isRecord(servers) ? servers : {}).flatMap(([url, entry]) =>
    isRecord(entry) && typeof entry['token'] === 'string'
      ? [[url, { token: entry['token'] }] as const]
      : [],
  )
  return Object.fromEntries(entries)
}
