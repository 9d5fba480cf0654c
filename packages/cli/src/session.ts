import { resolve } from 'node:path'
import { createApi, type Api } from './api/api.ts'
import type { CallSources } from './api/problem-error.ts'
import type { ProveFlags } from './api/proofs/proof-terms.ts'
import type { Writes } from './api/proofs/prove-writes.ts'
import { type AskingFlags, toTerms } from './api/requests/terms.ts'
import type { GlobalFlags, SchemaFlags, Surroundings } from './cli-context.ts'
import { listKnownServers } from './credentials/credentials-file.ts'
import { assertTokenForm, findToken, type ResolvedToken } from './credentials/resolve-token.ts'
import { chooseServer, nameServerSource, type ServerChoice } from './project/choose-server.ts'
import { readTrust, type Trust } from './project/file-owner.ts'
import { findProject, type ProjectLocation } from './project/find-project.ts'
import { nameVariable } from './project/name-variable.ts'
import { findProxyVariable } from './project/proxy-variables.ts'
import { assertPrivateConnection } from './project/server-url.ts'
import { CliError } from './terminal/cli-error.ts'
import { whyNotInteractive } from './terminal/interactive.ts'
import { createOutput, type Output } from './terminal/output.ts'
import { programName } from './terminal/program-name.ts'
import { createProgress, type Progress } from './terminal/progress.ts'
import { createPrompts, type Prompts } from './terminal/prompts.ts'
import { cliVersion } from './version.ts'

type CommandFlags = AskingFlags & ProveFlags & SchemaFlags

/** Describes the context of a command: its directory, its server, its output and its prompts. */
export interface Session {
  readonly flags: CommandFlags
  readonly surroundings: Surroundings
  readonly cwd: string
  readonly env: Surroundings['env']
  readonly stdin: Surroundings['stdin']
  readonly output: Output
  readonly prompts: Prompts
  readonly progress: Progress
  readonly profile: string
  /** Holds what the command has made so far. */
  readonly writes: Writes
  /** Returns whose files may name the server of a token and the code to run. */
  trust(): Promise<Trust>
  project(): Promise<ProjectLocation | undefined>
  server(): Promise<ServerChoice>
  /** Returns the token, if there is one. It is read once. */
  findToken(): Promise<ResolvedToken | undefined>
  /** Returns a client with the token. @throws {CliError} `no_token` with the ways to get one, `not_encrypted` */
  api(): Promise<Api>
  /** Returns a client with a token that is not stored yet. @throws {CliError} `invalid_token`, `not_encrypted` */
  apiWith(token: string, origin?: Pick<CallSources, 'isOfJob'>): Promise<Api>
}

/** Opens the session the global flags describe. Reads nothing yet. */
export function openSession(flags: CommandFlags, surroundings: Surroundings): Session {
  const { env, stdin, stdout, stderr } = surroundings
  const cwd = resolve(flags.cwd ?? '.')
  const { json = false, quiet = false, verbose = false, color } = flags
  const output = createOutput({
    stdout,
    stderr,
    env,
    json,
    quiet,
    verbose,
    color,
    program: programName(env, cwd),
  })
  const blockedBy = whyNotInteractive({
    stdinIsTTY: stdin.isTTY === true,
    stderrIsTTY: stderr.isTTY === true,
    env,
    json,
  })
  const profile = flags.profile ?? env['SIGNALBOX_PROFILE'] ?? 'default'
  const progress = createProgress({ stderr, silent: json || quiet })
  const writes: Writes = { made: [], isWatched: false }
  const { server, ...sources } = readServerSources(flags, { cwd, profile, ...surroundings })
  const openWith = async (token: string, origin: Pick<CallSources, 'isOfJob' | 'token'> = {}) => {
    const choice = await server()
    const from = {
      server: nameServerSource(choice, env),
      proxy: findProxyVariable(choice.url, env),
      ...origin,
    }
    return openApi(choice.url, token, { flags, env, output, progress, writes, sources: from })
  }
  return {
    flags,
    surroundings,
    cwd,
    env,
    stdin,
    output,
    prompts: createPrompts(blockedBy),
    progress,
    profile,
    writes,
    ...sources,
    server,
    api: once(async () => {
      const token = await sources.findToken()
      if (token === undefined) {
        throw noToken(await server(), await listKnownServers(env, profile), profileOf(flags, env))
      }
      output.detail(`token from ${token.source}`)
      return openWith(token.token, { token: winningSource(token, env) })
    }),
    apiWith: (token, origin) => openWith(token, origin),
  }
}

type ServerSources = Pick<Session, 'trust' | 'project' | 'server' | 'findToken'>

/** Returns the sources, which are read at most once: trust, project, server, token. */
function readServerSources(
  flags: GlobalFlags,
  { cwd, env, stdin, home, profile }: Pick<Session, 'cwd' | 'profile'> & Surroundings,
): ServerSources {
  const trust = once(() => readTrust(env))
  const project = once(async () => findProject({ from: cwd, home, trust: await trust() }))
  const server = once(async () =>
    chooseServer({
      flag: flags.server,
      env,
      location: await project(),
      known: () => listKnownServers(env, profile),
    }),
  )
  const token = once(async () =>
    findToken({
      env,
      profile,
      server: await server(),
      stdin: flags.tokenStdin ? stdin : undefined,
    }),
  )
  return { trust, project, server, findToken: token }
}

function openApi(
  serverUrl: string,
  token: string,
  {
    flags,
    env,
    output,
    progress,
    writes,
    sources,
  }: Pick<Session, 'flags' | 'env' | 'output' | 'progress' | 'writes'> & {
    readonly sources: CallSources
  },
): Api {
  assertTokenForm(token, sources.token)
  assertPrivateConnection(serverUrl, env)
  output.detail(`server ${serverUrl}`)
  return createApi({
    serverUrl,
    token,
    sources,
    terms: toTerms(flags),
    prove: flags,
    writes,
    userAgent: `signalbox-cli/${cliVersion()}`,
    onRetry: (line) => output.detail(line),
    during: (work) => progress(`Waiting for ${new URL(serverUrl).host}`, work),
  })
}

/** Names the source of a token that wins over the one of `login`; `undefined` for that one. */
function winningSource({ source }: ResolvedToken, env: Session['env']): string | undefined {
  return source === 'credentials file' ? undefined : nameVariable(source, env)
}

/** Names the profile of tokens that a variable chose, if one did. */
function profileOf(flags: GlobalFlags, env: Session['env']): string | undefined {
  return flags.profile === undefined ? env['SIGNALBOX_PROFILE'] : undefined
}

function noToken(
  { url, source }: ServerChoice,
  known: readonly string[],
  profile: string | undefined,
): CliError {
  const elsewhere =
    known.length === 0
      ? []
      : [`or choose a server you are signed in to with --server: ${known.join(', ')}`]
  return new CliError('authentication', 'no_token', `There is no token for ${url}.`, {
    advice: [
      source === '--server' ? `signalbox login --server ${url}` : 'signalbox login',
      ...elsewhere,
      ...(profile === undefined ? [] : [`SIGNALBOX_PROFILE names the profile "${profile}"`]),
      'or set SIGNALBOX_TOKEN, or pipe it: … --token-stdin',
    ].join('\n'),
  })
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
