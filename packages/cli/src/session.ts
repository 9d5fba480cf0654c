import { resolve } from 'node:path'
import process from 'node:process'
import { createApi, type Api } from './api/api.ts'
import type { GlobalFlags } from './cli-context.ts'
import { assertTokenForm, findToken, type FoundToken } from './credentials/resolve-token.ts'
import { findProject, type FoundProject } from './project/project-file.ts'
import { defaultServerUrl, parseServerUrl } from './project/server-url.ts'
import { CliError } from './terminal/cli-error.ts'
import { whyNotInteractive } from './terminal/interactive.ts'
import { createOutput, type Output } from './terminal/output.ts'
import { createProgress, type Progress } from './terminal/progress.ts'
import { createPrompts, type Prompts } from './terminal/prompts.ts'
import { cliVersion } from './version.ts'

export interface ServerChoice {
  readonly url: string
  readonly source: string
}

/** What a command works with: where it is, whom it talks to, how it prints and asks. */
export interface Session {
  readonly flags: GlobalFlags
  readonly cwd: string
  readonly env: Readonly<Partial<Record<string, string>>>
  readonly output: Output
  readonly prompts: Prompts
  readonly progress: Progress
  readonly profile: string
  project(): Promise<FoundProject | undefined>
  server(): Promise<ServerChoice>
  /** The token, if there is one; read once. */
  findToken(): Promise<FoundToken | undefined>
  /** A client with the token. @throws {CliError} `no_token` with the ways to get one. */
  api(): Promise<Api>
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
  const project = once(() => findProject(cwd))
  const server = once(async () => chooseServer(flags, env, await project()))
  const token = once(async () =>
    findToken({
      env,
      profile,
      serverUrl: (await server()).url,
      tokenStdin: flags.tokenStdin === true,
    }),
  )
  return {
    flags,
    cwd,
    env,
    output,
    prompts: createPrompts(blockedBy),
    progress,
    profile,
    project,
    server,
    findToken: token,
    api: once(async () => openApi(await server(), await token(), { output, progress })),
  }
}

function openApi(
  { url }: ServerChoice,
  found: FoundToken | undefined,
  { output, progress }: Pick<Session, 'output' | 'progress'>,
): Api {
  if (found === undefined) {
    throw new CliError('authentication', 'no_token', `There is no token for ${url}.`, {
      hint: `signalbox login\nor set SIGNALBOX_TOKEN, or pipe it: … --token-stdin`,
    })
  }
  assertTokenForm(found.token)
  output.detail(`token from ${found.source}, server ${url}`)
  return createApi({
    serverUrl: url,
    token: found.token,
    userAgent: `signalbox-cli/${cliVersion()}`,
    onRetry: (line) => output.detail(line),
    during: (work) => progress(`Waiting for ${new URL(url).host}`, work),
  })
}

function chooseServer(
  flags: GlobalFlags,
  env: Session['env'],
  found: FoundProject | undefined,
): ServerChoice {
  const choices = [
    [flags.server, '--server'],
    [env['SIGNALBOX_URL'], 'SIGNALBOX_URL'],
    [found?.project.server, found?.path ?? ''],
  ] as const
  for (const [text, source] of choices) {
    if (text !== undefined && text !== '') return { url: parseServerUrl(text, source), source }
  }
  return { url: defaultServerUrl, source: 'the default' }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
