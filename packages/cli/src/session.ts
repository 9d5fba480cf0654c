import { homedir } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { createApi, type Api } from './api/api.ts'
import type { GlobalFlags } from './cli-context.ts'
import { assertTokenForm, findToken, type FoundToken } from './credentials/resolve-token.ts'
import { chooseServer, type ServerChoice } from './project/choose-server.ts'
import { readTrust, type Trust } from './project/file-owner.ts'
import { findProject, type FoundProject } from './project/find-project.ts'
import { assertPrivateConnection } from './project/server-url.ts'
import { CliError } from './terminal/cli-error.ts'
import { whyNotInteractive } from './terminal/interactive.ts'
import { createOutput, type Output } from './terminal/output.ts'
import { createProgress, type Progress } from './terminal/progress.ts'
import { createPrompts, type Prompts } from './terminal/prompts.ts'
import { cliVersion } from './version.ts'

/** What a command works with: where it is, whom it talks to, how it prints and asks. */
export interface Session {
  readonly flags: GlobalFlags
  readonly cwd: string
  readonly env: Readonly<Partial<Record<string, string>>>
  readonly output: Output
  readonly prompts: Prompts
  readonly progress: Progress
  readonly profile: string
  /** Whose files may say where a token goes and which code runs. */
  trust(): Promise<Trust>
  project(): Promise<FoundProject | undefined>
  server(): Promise<ServerChoice>
  /** The token, if there is one; read once. */
  findToken(): Promise<FoundToken | undefined>
  /** A client with the token. @throws {CliError} `no_token` with the ways to get one, `not_encrypted` */
  api(): Promise<Api>
  /** A client with a token that is not kept yet. @throws {CliError} `invalid_token`, `not_encrypted` */
  apiWith(token: string): Promise<Api>
}

/** Opens the session the global flags describe. Reads nothing yet. */
export function openSession(flags: GlobalFlags): Session {
  const env = process.env
  const cwd = resolve(flags.cwd ?? '.')
  const { json = false, quiet = false, verbose = false, color } = flags
  const output = createOutput({
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    json,
    quiet,
    verbose,
    color,
  })
  const blockedBy = whyNotInteractive({
    stdinIsTTY: process.stdin.isTTY,
    stderrIsTTY: process.stderr.isTTY,
    env,
    json,
  })
  const profile = flags.profile ?? env['SIGNALBOX_PROFILE'] ?? 'default'
  const progress = createProgress({ stderr: process.stderr, silent: json || quiet })
  const trust = once(() => readTrust(env))
  const project = once(async () =>
    findProject({ from: cwd, home: homedir(), trust: await trust() }),
  )
  const server = once(async () => chooseServer(flags.server, env, await project()))
  const token = once(async () =>
    findToken({
      env,
      profile,
      server: await server(),
      tokenStdin: flags.tokenStdin === true,
    }),
  )
  const apiWith = async (text: string) =>
    openApi((await server()).url, text, { env, output, progress })
  return {
    flags,
    cwd,
    env,
    output,
    prompts: createPrompts(blockedBy),
    progress,
    profile,
    trust,
    project,
    server,
    findToken: token,
    api: once(async () => {
      const found = await token()
      if (found === undefined) throw noToken((await server()).url)
      output.detail(`token from ${found.source}`)
      return apiWith(found.token)
    }),
    apiWith,
  }
}

function openApi(
  serverUrl: string,
  token: string,
  { env, output, progress }: Pick<Session, 'env' | 'output' | 'progress'>,
): Api {
  assertTokenForm(token)
  assertPrivateConnection(serverUrl, env)
  output.detail(`server ${serverUrl}`)
  return createApi({
    serverUrl,
    token,
    userAgent: `signalbox-cli/${cliVersion()}`,
    onRetry: (line) => output.detail(line),
    during: (work) => progress(`Waiting for ${new URL(serverUrl).host}`, work),
  })
}

function noToken(serverUrl: string): CliError {
  return new CliError('authentication', 'no_token', `There is no token for ${serverUrl}.`, {
    hint: 'signalbox login\nor set SIGNALBOX_TOKEN, or pipe it: … --token-stdin',
  })
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
