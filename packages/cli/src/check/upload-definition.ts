import { readFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import type { BodyOf, endpoints } from '@signalbox/contract/rest'
import type { Answer } from '../api/operations.ts'
import type { Definition } from '../definition/definition.ts'
import { displayPath } from '../definition/find-definition.ts'
import { findLineOfKey } from '../definition/line-of-key.ts'
import { openSender } from '../pipeline/open-pipeline.ts'
import { type CommitFlags, readCommit, readProposal } from '../pipeline/read-commit.ts'
import { findRepository, isChanged } from '../project/git.ts'
import { toWireKey } from '../schema/full-key.ts'
import type { Session } from '../session.ts'
import { chooseSchemaName } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'

type UploadBody = BodyOf<(typeof endpoints)['uploadCommitDefinition']>

/** Describes what the server says of the definitions of a commit. */
export type CommitCheck = Answer<'uploadCommitDefinition'>

/** Describes an upload that has been compared. */
export interface UploadedDefinition {
  readonly check: CommitCheck
  readonly schema: string
  /** Holds the address of the check's page. */
  readonly page: string
}

/** Describes an upload before it is sent. */
export interface PlannedUpload {
  readonly commit: Partial<Omit<UploadBody, 'definition' | 'schema'>>
  readonly schema: string
}

/**
 * Returns what an upload would send beside the definition. With the token of a job it names only what the token does not know: the
 * commit of a pull request, whose run is of a merge of it.
 *
 * @throws {CliError} `definition_not_committed`, `commit_incomplete`, `no_token`
 */
export async function planUpload(
  session: Session,
  definition: Definition,
  { flags, isPipeline }: { readonly flags: CommitFlags; readonly isPipeline: boolean },
): Promise<PlannedUpload> {
  if ((await isChanged(definition.path)) === true) {
    const file = displayPath(session, definition.path)
    throw new CliError(
      'usage',
      'definition_not_committed',
      `${file} is not as its commit has it, so the check would be wrong.`,
      { advice: 'Commit it first, or check the file as it is: signalbox check --env all' },
    )
  }
  const schema = await chooseSchemaName(session)
  if (!isPipeline) return { commit: withoutAbsent(await readCommit(session, flags)), schema }
  const { repository, ref } = flags
  const sha = flags.sha ?? (await readProposal(session.env))?.sha
  return { commit: withoutAbsent({ repository, sha, ref }), schema }
}

function withoutAbsent(commit: CommitFlags): PlannedUpload['commit'] {
  return Object.fromEntries(Object.entries(commit).filter(([, value]) => value !== undefined))
}

/**
 * Sends the definition of a commit, which the server compares with every environment. Defaults of secrets stay here.
 *
 * @throws {CliError} the server's rejections, and those of `planUpload`
 */
export async function uploadDefinition(
  session: Session,
  definition: Definition,
  flags: CommitFlags,
): Promise<UploadedDefinition> {
  const { isPipeline, orgRef, serverUrl, api } = await openSender(session)
  const { commit, schema } = await planUpload(session, definition, { flags, isPipeline })
  const check = await (
    await api()
  ).callPlainly('uploadCommitDefinition', {
    params: { org_id: orgRef },
    body: {
      ...commit,
      schema,
      definition: toUploadedKeys(definition),
      ...(await locateKeys(definition)),
    },
  })
  return { check, schema, page: `${serverUrl}/${orgRef}/deployments/checks/${check.id}` }
}

/** Returns where the keys are declared, so that a pull request shows the result beside its lines. Outside of a repository: nothing. */
async function locateKeys({
  path: file,
  keys,
}: Definition): Promise<Pick<UploadBody, 'lines' | 'path'>> {
  const root = await findRepository(dirname(file))
  const path = root === undefined ? '..' : relative(root, file).replaceAll('\\', '/')
  if (path.startsWith('..')) return {}
  const source = await readFile(file, 'utf8')
  const lines = [...keys].flatMap(([key, { tier }]) => {
    const line = findLineOfKey(source, tier, key)
    return line === undefined ? [] : [[key, line] as const]
  })
  return { path, lines: Object.fromEntries(lines) }
}

function toUploadedKeys({ keys }: Definition): UploadBody['definition'] {
  return Object.fromEntries(
    [...keys].map(([key, full]) => [
      key,
      toWireKey(full.tier === 'secret' ? { ...full, default: undefined } : full),
    ]),
  )
}

/** Returns whether an environment lacks a value of a schema, or has one that the definition refuses. */
export function isUnready({ check, schema }: UploadedDefinition): boolean {
  return check.schemas
    .filter(({ name }) => name === schema)
    .flatMap(({ environments }) => environments)
    .some(({ result }) => result === 'missing' || result === 'invalid')
}
