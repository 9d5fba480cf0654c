import { appendFile, readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { checkEnvironments, isRefused } from '../check/check-environments.ts'
import { assertSound, printChecked, printCounts } from '../check/print-check.ts'
import { getDefinitionPath } from '../definition/find-definition.ts'
import { findLineOfKey } from '../definition/line-of-key.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { hasPipelineToken } from '../pipeline/pipeline-token.ts'
import { findWithholding } from '../pipeline/pull-request-event.ts'
import type { Session } from '../session.ts'
import { chooseSchemaName } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { ActionInputs } from './action-inputs.ts'
import { commentOnPullRequest } from './comment-on-pull-request.ts'
import { findPullRequest } from './pull-request.ts'
import { type ReportedCheck, renderCheckReport, renderFailureReport } from './render-report.ts'
import { type Annotation, renderError, renderWarning } from './workflow-commands.ts'

/** Prints a line that the runner reads. */
function say({ output }: Session, line: string): void {
  output.raw(`${line}\n`)
}

/**
 * Checks the definition, offline or against environments. It reports the result beside the lines of the pull request,
 * in one comment on it, and in the job's summary. Returns the exit code.
 */
export async function checkPullRequest(session: Session, inputs: ActionInputs): Promise<number> {
  try {
    const sends = inputs.upload && hasPipelineToken(session.env)
    if (inputs.token === undefined && !sends) await explainOffline(session)
    return await publish(session, inputs, await examine(session, inputs))
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    for (const annotation of annotationsOf(session, error)) say(session, renderError(annotation))
    await setOutputs(session.env, { result: 'failed', changes: 0, breaking: false })
    await announce(session, inputs, { markdown: renderFailureReport(error), isChange: true })
    throw error
  }
}

/**
 * Allows a check without a token where GitHub withholds it. Elsewhere it was forgotten, or the name of the secret is
 * misspelt, and a check that is green would have compared nothing.
 *
 * @throws {CliError} `no_token`
 */
async function explainOffline(session: Session): Promise<void> {
  const withholding = await findWithholding(session.env)
  if (withholding === undefined) {
    throw new CliError(
      'authentication',
      'no_token',
      'The input "token" is empty, so the action compared nothing with the server.',
      {
        details: ['A missing or misspelled secret is empty.'],
        advice: 'Use a server key: token: ${{ secrets.SIGNALBOX_TOKEN }}',
      },
    )
  }
  if (withholding === 'dependabot') {
    say(
      session,
      renderWarning(
        'The action compared nothing with the server, because a Dependabot run gets no Actions secrets. Add the token to the Dependabot secrets too.',
      ),
    )
  }
}

async function examine(
  session: Session,
  { environment, token, complete }: ActionInputs,
): Promise<ReportedCheck> {
  const path = await getDefinitionPath(session)
  const definition = await readDefinition(session, path)
  assertSound(session, definition)
  printCounts(session, definition)
  const checked =
    token === undefined
      ? undefined
      : await checkEnvironments(session, definition, environment ?? 'all')
  if (checked !== undefined) printChecked(session, checked)
  return { file: repositoryPath(session.env, path), definition, checked, complete }
}

async function publish(
  session: Session,
  inputs: ActionInputs,
  examination: ReportedCheck,
): Promise<number> {
  const { changes = [], breaking = [], environments = [] } = examination.checked ?? {}
  const fails = environments.some((each) => isRefused(each, inputs.complete))
  for (const annotation of await rejections(examination, inputs.complete))
    say(session, renderError(annotation))
  await setOutputs(session.env, {
    result: resultOf(examination, fails),
    changes: changes.length,
    breaking: breaking.length > 0,
  })
  const markdown = renderCheckReport(examination)
  await announce(session, inputs, { markdown, isChange: fails || changes.length > 0 })
  return fails && inputs.command === 'check' ? exitCodes.validation : exitCodes.ok
}

function resultOf({ checked }: ReportedCheck, fails: boolean): string {
  if (checked === undefined) return 'offline'
  if (fails) return 'refused'
  return checked.changes.length > 0 ? 'differs' : 'same'
}

/** Returns the stored values that the definition refuses, each at the line of its key. */
async function rejections(
  { file, definition, checked }: ReportedCheck,
  complete: boolean,
): Promise<Annotation[]> {
  const source = await readFile(definition.path, 'utf8')
  const lineOf = (key: string) => {
    const tier = definition.keys.get(key)?.tier
    return tier === undefined ? undefined : findLineOfKey(source, tier, key)
  }
  return (checked?.environments ?? []).flatMap(({ environment, invalid, missing }) => [
    ...invalid.map(({ key, detail }) => ({
      file,
      line: lineOf(key),
      title: `${key} in ${environment}`,
      message: `The definition would refuse the stored value: ${detail}`,
    })),
    ...(complete ? missing : []).map((key) => ({
      file,
      line: lineOf(key),
      title: `${key} in ${environment}`,
      message: 'is required and has no value',
    })),
  ])
}

/** Returns the lines that an error names, as `file:line  what`, or the error itself. */
function annotationsOf({ env, cwd }: Session, { message, details }: CliError): Annotation[] {
  const annotations = details.flatMap((detail): Annotation[] => {
    const [, file, line, words] = /^(.+?):(\d+) {2}(.*)$/s.exec(detail) ?? []
    if (file === undefined || line === undefined || words === undefined) return []
    const path = file.startsWith('/') ? file : `${cwd}/${file}`
    const title = 'Signalbox definition'
    return [{ file: repositoryPath(env, path), line: Number(line), title, message: words }]
  })
  return annotations.length > 0
    ? annotations
    : [{ title: 'Signalbox', message: [message, ...details].join('\n') }]
}

/** Writes the job's summary and the comment. Without the permission to comment, only the summary. */
async function announce(
  session: Session,
  { comments, githubToken }: ActionInputs,
  { markdown, isChange }: { readonly markdown: string; readonly isChange: boolean },
): Promise<void> {
  const { env } = session
  await addSummary(env, markdown)
  const pullRequest = await findPullRequest(env)
  if (!comments || githubToken === undefined || pullRequest === undefined) return
  const mark = `<!-- signalbox ${await chooseSchemaName(session)} -->`
  const body = `${mark}\n${markdown}`
  const request = { env, token: githubToken, pullRequest, mark, body, isChange }
  const commented = await commentOnPullRequest(request).catch((error: unknown) => ({
    outcome: error instanceof Error ? error.message : String(error),
  }))
  switch (commented.outcome) {
    case 'created':
    case 'updated':
      if ('url' in commented) await setOutputs(env, { 'comment-url': commented.url })
      return
    case 'unchanged':
      return
    case 'refused':
      say(
        session,
        '::notice title=Signalbox::The token may not comment (it needs pull-requests: write). See the summary.',
      )
      return
    default:
      say(session, renderWarning(`No comment: ${commented.outcome}`))
  }
}

type Variables = Readonly<Partial<Record<string, string>>>

/** Adds Markdown to the job's summary. */
async function addSummary(env: Variables, markdown: string): Promise<void> {
  const path = env['GITHUB_STEP_SUMMARY']
  if (path) await appendFile(path, `${markdown}\n\n`)
}

/** Sets outputs of the step. Values have one line. */
async function setOutputs(
  env: Variables,
  outputs: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const path = env['GITHUB_OUTPUT']
  const lines = Object.entries(outputs).map(([name, value]) => {
    return `${name}=${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`
  })
  if (path) await appendFile(path, lines.join(''))
}

/** Returns a path relative to the repository, as GitHub's annotations need it. */
function repositoryPath(env: Variables, path: string): string {
  const workspace = env['GITHUB_WORKSPACE']
  return workspace ? relative(workspace, path) : path
}
