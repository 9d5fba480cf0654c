import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { defineCommand, type FlagValues } from '../../action.ts'
import type { ConfigSchema } from '../../api/operations.ts'
import { askForServer } from '../../ask-server.ts'
import { cancelled } from '../../changes/confirmation.ts'
import { renderBlock } from '../../env-file/block.ts'
import { findStartCommand } from '../../init/find-start-command.ts'
import { globalFlags, switchFlag, textFlag } from '../../cli-context.ts'
import { definitionNames } from '../../definition/find-definition.ts'
import { definitionTemplate, renderTypesFile } from '../../init/definition-template.ts'
import { findUnreachedFolder } from '../../init/find-unreached-folder.ts'
import {
  assertEnvironment,
  findKnownSchema,
  lookUp,
  proposeEnvironment,
} from '../../init/look-up.ts'
import { composeDefinition } from '../../init/compose-definition.ts'
import { defaultSource } from '../../project/choose-server.ts'
import { ensureIgnored, isTracked } from '../../project/git.ts'
import { exists } from '../../project/exists.ts'
import { projectFileName, type ProjectFile, renderProjectFile } from '../../project/project-file.ts'
import type { Session } from '../../session.ts'
import { toResourceName } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'

const initFlags = {
  server: { ...globalFlags.server, hidden: false },
  organization: textFlag('slug', 'Organization (default: the one the token reaches)'),
  schema: textFlag('name', 'Name of the schema (default: the name of the directory)'),
  env: textFlag('name', 'Environment for this machine (default development)'),
  overwrite: switchFlag('Overwrite existing files'),
} as const

type InitFlags = FlagValues<typeof initFlags>

/** Holds what is known before a file is written. */
interface Plan {
  readonly project: ProjectFile & { readonly schema: string; readonly environment: string }
  /** Holds the schema of that name on the server. */
  readonly remote: ConfigSchema | undefined
}

const envFileName = '.env.local'

async function init(initialSession: Session, initialFlags: InitFlags): Promise<void> {
  const session = await askForServer(initialSession)
  const plan = await planInit(session, initialFlags)
  const { project, remote } = plan
  const isMoved = await confirmOtherSchema(session, initialFlags, project.schema)
  const flags = isMoved ? { ...initialFlags, overwrite: true } : initialFlags
  const definition = {
    name: await definitionFileName(session),
    text: remote === undefined ? definitionTemplate : await composeDefinition(remote.schema),
  }
  const files = [
    { name: projectFileName, text: renderProjectFile(project) },
    definition,
    ...(await typesFileFor(session, definition.name)),
  ]
  const { output } = session
  const done: { file: string; action: string }[] = []
  for (const { name, text } of files) {
    done.push({ file: name, action: await writeNewFile(session, name, text, flags) })
  }
  const isDefined = done.some(({ file, action }) => file === definition.name && action === 'kept')
  done.push({
    file: envFileName,
    action: await writeEnvFile(session, project.environment, flags.dryRun === true),
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
      `${mark} ${file}  ${output.styles.dim(action === 'kept' ? 'already exists, unchanged' : action)}`,
    )
  }
  if (remote !== undefined && !isDefined)
    output.note(
      `The definition is a copy of ${remote.name} revision ${remote.revision} on the server.`,
    )
  await printDefaultServer(session)
  await printNextSteps(session, plan, isDefined)
}

/** Returns the file that lets the compiler find the definition, where it reads one folder of the project alone. */
async function typesFileFor(
  session: Session,
  definition: string,
): Promise<readonly { name: string; text: string }[]> {
  const isInRoot = !definition.includes('/')
  const folder = isInRoot ? await findUnreachedFolder(session.cwd) : undefined
  if (folder === undefined) return []
  return [{ name: `${folder}/signalbox.d.ts`, text: renderTypesFile(definition) }]
}

async function planInit(session: Session, flags: InitFlags): Promise<Plan> {
  const { url: server } = await session.server()
  const existing = (await findOwnProject(session)) ?? {}
  const organization = flags.organization ?? (await chooseOrganization(session))
  const known = await lookUp(session, organization)
  const schema = toResourceName(
    flags.schema ??
      (await ask(session, 'Name of the schema', existing.schema ?? basename(session.cwd))),
  )
  const proposed = existing.environment ?? proposeEnvironment(known)
  const environment = flags.env ?? (await ask(session, 'Environment for this machine', proposed))
  await assertEnvironment(known, environment)
  return {
    project: {
      server,
      ...(organization === undefined ? {} : { organization }),
      schema,
      environment,
    },
    remote: await findKnownSchema(known, schema),
  }
}

/** Returns the project file of this very directory. One above is that of another project. */
async function findOwnProject(session: Session): Promise<ProjectFile | undefined> {
  const location = await session.project()
  return location?.directory === session.cwd ? location.project : undefined
}

/**
 * Returns whether the person agrees that the files of another schema are replaced.
 *
 * @throws {CliError} `other_schema` when nobody can be asked, `cancelled`
 */
async function confirmOtherSchema(
  session: Session,
  { overwrite, yes }: InitFlags,
  schema: string,
): Promise<boolean> {
  const existing = (await findOwnProject(session))?.schema
  if (overwrite || existing === undefined || existing === schema) return false
  if (session.prompts.blockedBy === undefined && !yes) {
    const question = `The files here belong to the schema ${existing}. Replace them?`
    if (await session.prompts.confirm(question)) return true
    throw cancelled()
  }
  throw new CliError(
    'usage',
    'other_schema',
    `The files here belong to the schema ${existing}, so nothing was written.`,
    {
      advice: `signalbox init --schema ${schema} --overwrite   replaces them\nor use another directory: --cwd <dir>`,
    },
  )
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
  return (await session.prompts.text(`${question} (Enter: ${proposal})`, { proposal })).trim()
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
  environment: string,
  dryRun: boolean,
): Promise<string> {
  const path = join(session.cwd, envFileName)
  if (await exists(path)) return 'kept'
  if (dryRun) return 'would be written'
  if (await isTracked(path)) return 'kept'
  const header = {
    environment,
    version: 0,
    writtenAt: new Date().toISOString(),
    dialect: 'dotenv',
    keys: new Map<string, string>(),
  }
  await writeFile(path, renderBlock(header, []), { mode: 0o600, flag: 'wx' })
  return 'written, mode 0600'
}

/** Says which address was written where nobody has named one, because the next commands call it. */
async function printDefaultServer(session: Session): Promise<void> {
  const { url, source } = await session.server()
  if (source !== defaultSource) return
  session.output.note(
    `\nNo server was named, so the address is ${url}, where signalbox start listens. Change "server" in ${projectFileName} if yours is another.`,
  )
}

async function printNextSteps(
  session: Session,
  { project: { environment }, remote }: Plan,
  isDefined: boolean,
): Promise<void> {
  const { output } = session
  const token = await session.findToken().catch(() => undefined)
  const steps = [
    ...(token === undefined ? ['signalbox login'] : []),
    remote === undefined
      ? `signalbox push --env ${environment}`
      : `signalbox check --env ${environment}`,
    ...(remote === undefined && !isDefined
      ? [`signalbox set sessionSecret --env ${environment}`]
      : []),
    `signalbox run --env ${environment} -- ${await findStartCommand(session.cwd)}`,
  ]
  output.note(`\nNext:\n${steps.map((step) => `  ${step}`).join('\n')}`)
}

/** Defines `signalbox init`. */
export const initCommand = defineCommand({
  about:
    'Writes signalbox.config.ts, .signalbox.json with the server, schema and environment, and an empty .env.local that git ignores. If the server has a schema with that name, the definition is a copy of it, otherwise an example. Existing files stay as they are.',
  examples: [
    'signalbox init',
    'signalbox init --schema web --overwrite   # the definition of a schema on the server',
    'signalbox init --yes --server https://signalbox.example.com --schema web --env staging',
  ],
  flags: initFlags,
  run: init,
})
