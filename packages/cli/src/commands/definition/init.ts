import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { askForServer } from '../../ask-server.ts'
import { renderBlock } from '../../env-file/block.ts'
import {
  type CliContext,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../../cli-context.ts'
import { definitionNames } from '../../definition/find-definition.ts'
import { definitionTemplate } from '../../init/definition-template.ts'
import { ensureIgnored, isTracked } from '../../project/git.ts'
import { exists } from '../../project/exists.ts'
import { projectFileName, type ProjectFile, renderProjectFile } from '../../project/project-file.ts'
import type { Session } from '../../session.ts'
import { toResourceName } from '../../target.ts'

type InitFlags = GlobalFlags & {
  readonly organization?: string | undefined
  readonly schema?: string | undefined
  readonly env?: string | undefined
  readonly overwrite?: boolean | undefined
}

const envFileName = '.env.local'
const defaultEnvironment = 'development'

async function init(initialSession: Session, flags: InitFlags): Promise<void> {
  const session = await askForServer(initialSession)
  const project = await chooseProject(session, flags)
  const files = [
    { name: projectFileName, text: renderProjectFile(project) },
    { name: await definitionFileName(session), text: definitionTemplate },
  ]
  const { output } = session
  const done: { file: string; action: string }[] = []
  for (const { name, text } of files) {
    done.push({ file: name, action: await writeNewFile(session, name, text, flags) })
  }
  done.push({
    file: envFileName,
    action: await writeEnvFile(session, project, flags.dryRun === true),
  })
  const ignored = flags.dryRun
    ? undefined
    : await ensureIgnored(join(session.cwd, envFileName), session.cwd)
  if (ignored !== undefined)
    done.push({ file: basename(ignored), action: `ignores ${envFileName}` })
  output.document({ project, files: done, dryRun: flags.dryRun })
  for (const { file, action } of done) {
    const mark = action === 'kept' ? output.styles.dim('·') : output.styles.green('✓')
    output.result(
      `${mark} ${file}  ${output.styles.dim(action === 'kept' ? 'exists, kept as it is' : action)}`,
    )
  }
  await printNextSteps(session, project)
}

async function chooseProject(session: Session, flags: InitFlags): Promise<ProjectFile> {
  const { url: server } = await session.server()
  const organization = flags.organization ?? (await chooseOrganization(session))
  const schema = toResourceName(
    flags.schema ?? (await ask(session, 'Name of the schema', basename(session.cwd))),
  )
  const environment =
    flags.env ?? (await ask(session, 'Environment for this machine', defaultEnvironment))
  return {
    server,
    ...(organization === undefined ? {} : { organization }),
    schema,
    environment,
  }
}

/** Returns the organization of the token, if there is one and the server responds. The commands find it the same way later. */
async function chooseOrganization(session: Session): Promise<string | undefined> {
  const organization =
    (await session.project())?.project.organization ?? session.env['SIGNALBOX_ORGANIZATION']
  if (organization !== undefined) return organization
  try {
    const { organizations } = await (await session.api()).whoAmI()
    const [only, second] = organizations
    if (second === undefined) return only?.slug
    if (session.prompts.blockedBy !== undefined || session.flags.yes) return undefined
    return await session.prompts.select(
      'Organization',
      organizations.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` })),
    )
  } catch (error) {
    session.output.detail(
      `organization not looked up: ${error instanceof Error ? error.message : ''}`,
    )
    return undefined
  }
}

async function ask(session: Session, question: string, proposal: string): Promise<string> {
  if (session.prompts.blockedBy !== undefined || session.flags.yes) return proposal
  const answer = await session.prompts.text(question, { initial: proposal })
  return answer.trim() === '' ? proposal : answer.trim()
}

async function definitionFileName(session: Session): Promise<string> {
  for (const name of definitionNames) {
    if (await exists(join(session.cwd, name))) return name
  }
  return session.flags.config ?? definitionNames[0]
}

async function writeNewFile(
  session: Session,
  name: string,
  text: string,
  flags: InitFlags,
): Promise<string> {
  const path = join(session.cwd, name)
  const there = await exists(path)
  if (there && !flags.overwrite && !(await mayReplace(session, name))) return 'kept'
  if (!flags.dryRun) {
    await mkdir(session.cwd, { recursive: true })
    await writeFile(path, text)
  }
  return flags.dryRun ? 'would be written' : there ? 'replaced' : 'written'
}

/** Replaces a file only after a person has agreed: `--yes` in a script must not. */
async function mayReplace(session: Session, name: string): Promise<boolean> {
  if (session.prompts.blockedBy !== undefined || session.flags.yes) return false
  return session.prompts.confirm(`${name} exists. Replace it?`)
}

/** Writes an empty block, which shows where the first pull will write. The user's own file is never replaced. */
async function writeEnvFile(
  session: Session,
  { environment }: ProjectFile,
  dryRun: boolean,
): Promise<string> {
  const path = join(session.cwd, envFileName)
  if (await exists(path)) return 'kept'
  if (dryRun) return 'would be written'
  if (await isTracked(path)) return 'kept'
  const header = {
    environment: environment ?? defaultEnvironment,
    version: 0,
    writtenAt: new Date().toISOString(),
    dialect: 'dotenv',
    keys: new Map<string, string>(),
  }
  await writeFile(path, renderBlock(header, []), { mode: 0o600, flag: 'wx' })
  return 'written, mode 0600'
}

async function printNextSteps(session: Session, { environment }: ProjectFile): Promise<void> {
  const { output } = session
  const token = await session.findToken().catch(() => undefined)
  const steps = [
    ...(token === undefined ? ['signalbox login'] : []),
    `signalbox push --env ${environment}`,
    `signalbox set sessionSecret --env ${environment}`,
    `signalbox run --env ${environment} -- node server.js`,
  ]
  output.note(`\nNext:\n${steps.map((step) => `  ${step}`).join('\n')}`)
}

/** Defines `signalbox init`. */
export const initCommand = buildCommand<InitFlags, [], CliContext>({
  func: action(init),
  parameters: {
    flags: {
      ...globalFlags,
      server: { ...globalFlags.server, hidden: false },
      organization: textFlag('slug', 'Organization (default: the one the token reaches)'),
      schema: textFlag('name', 'Name of the schema (default: the name of the directory)'),
      env: textFlag('name', 'Environment for this machine (default development)'),
      overwrite: switchFlag('Replace files that exist'),
    },
  },
  docs: {
    brief: 'Set a project up',
    fullDescription: describe(
      'Writes signalbox.config.ts with an example, .signalbox.json with where it belongs, and an empty .env.local that git ignores. Files that exist are kept.',
      [
        'signalbox init',
        'signalbox init --yes --server https://signalbox.example.com --schema web --env staging',
      ],
    ),
  },
})
