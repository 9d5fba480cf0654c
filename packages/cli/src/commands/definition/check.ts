import { defineCommand, type FlagValues } from '../../action.ts'
import {
  type CheckedDefinition,
  checkEnvironments,
  isRefused,
} from '../../check/check-environments.ts'
import { schemaFlags, switchFlag, textFlag } from '../../cli-context.ts'
import { assertSound, printChecked, printCounts } from '../../check/print-check.ts'
import { printUploaded } from '../../check/print-upload.ts'
import { isUnready, planUpload, uploadDefinition } from '../../check/upload-definition.ts'
import type { Definition } from '../../definition/definition.ts'
import { getDefinitionPath } from '../../definition/find-definition.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { sendsAsPipeline } from '../../pipeline/open-pipeline.ts'
import { findWithholding } from '../../pipeline/pull-request-event.ts'
import { describeKey } from '../../schema/definition-change.ts'
import { countTiers } from '../../schema/full-key.ts'
import { toChangeDocument } from '../../schema/render-plan.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { renderTable } from '../../terminal/table.ts'

const checkFlags = {
  ...schemaFlags,
  env: textFlag('names', 'Check the values of these environments too: a list, or all'),
  complete: switchFlag('With --env: also fail if a required key has no value'),
  upload: switchFlag('Send the definition of this commit, for the check beside the commit'),
  noFail: switchFlag('With --upload: end with 0 although an environment is not ready'),
  repository: textFlag('name', 'With --upload: repository (default: of the pipeline, or of git)'),
  sha: textFlag('commit', 'With --upload: commit (default: of the pipeline, or of git)'),
  ref: textFlag('name', 'With --upload: branch or tag (default: of the pipeline, or of git)'),
} as const

type CheckFlags = FlagValues<typeof checkFlags>

async function check(
  session: Session,
  flags: CheckFlags,
): Promise<void | { readonly exitWith: number }> {
  const { env, complete = false } = flags
  if (flags.upload && env !== undefined) {
    throw new CliError('usage', 'usage', 'Use --env or --upload, not both.', {
      advice: '--upload compares with every environment.',
    })
  }
  const path = await getDefinitionPath(session)
  const definition = await session.progress('Loading the definition', () =>
    readDefinition(session, path),
  )
  assertSound(session, definition)
  if (flags.upload) return upload(session, definition, flags)
  const { output } = session
  const counts = countTiers(definition.keys.values())
  const checked =
    env === undefined
      ? undefined
      : await session.progress('Comparing with the server', () =>
          checkEnvironments(session, definition, env),
        )
  output.document({
    ...(checked === undefined ? {} : toCheckDocument(checked)),
    file: path,
    counts,
    keys: Object.fromEntries(
      [...definition.keys].map(
        ([key, { type, tier, required, hasDefault, constraints, sources }]) => [
          key,
          { type, tier, required, hasDefault, constraints, sources },
        ],
      ),
    ),
  })
  printCounts(session, definition)
  if (session.flags.verbose) {
    output.result(
      renderTable(
        [...definition.keys].map(([key, defined]) => [
          key,
          describeKey(defined),
          output.styles.dim(defined.sources.join(', ')),
        ]),
        '    ',
      ),
    )
  }
  if (checked === undefined) return
  printChecked(session, checked)
  if (checked.environments.some((each) => isRefused(each, complete))) {
    output.note(
      `  ${output.errorStyles.dim('fix:')} signalbox set <key> --env <name>, or change the definition`,
    )
    return { exitWith: exitCodes.validation }
  }
}

/** Sends the definition of a commit, and shows what each environment lacks for it. */
async function upload(
  session: Session,
  definition: Definition,
  flags: CheckFlags,
): Promise<void | { readonly exitWith: number }> {
  const { output, env } = session
  printCounts(session, definition)
  const isPipeline = await sendsAsPipeline(session)
  const withholding = await findWithholding(env)
  if (withholding !== undefined && !isPipeline && (await session.findToken()) === undefined) {
    const from = withholding === 'fork' ? 'a pull request of a fork' : 'a run of Dependabot'
    output.document({ uploaded: false, reason: withholding })
    output.warn(`Nothing was sent: ${from} gets no token.`)
    return
  }
  if (flags.dryRun) {
    const planned = await planUpload(session, definition, { flags, isPipeline })
    const { repository = 'the repository of the job', sha = 'its commit' } = planned.commit
    output.document({ dryRun: true, ...planned })
    output.result(`would send ${planned.schema} of ${repository}, ${sha}`)
    return
  }
  const uploaded = await session.progress('Uploading', () =>
    uploadDefinition(session, definition, flags),
  )
  const { check: result, page } = uploaded
  output.document({ check: result, page })
  printUploaded(session, uploaded)
  const isBad = flags.noFail !== true && isUnready(uploaded)
  return isBad ? { exitWith: exitCodes.validation } : undefined
}

/** Returns a check of environments as `--json` shows it. */
function toCheckDocument({ changes, ...checked }: CheckedDefinition): Record<string, unknown> {
  return { ...checked, changes: changes.map(toChangeDocument) }
}

/** Defines `signalbox check`. */
export const checkCommand = defineCommand({
  about:
    'Loads the definition and reports each problem with its line, without a server or a token. With --env it also shows what a push would change, and which stored values the definition would refuse. Changes nothing. With --upload the server remembers the definition of this commit, compares it with every environment whenever a value changes, and writes the result beside the commit and its pull request. A job of GitHub Actions, GitLab CI or Forgejo Actions that has an ID token needs no key for it.',
  examples: [
    'signalbox check',
    'signalbox check --env all',
    'signalbox check --env staging,production --complete --json',
    'signalbox check --upload --no-fail',
  ],
  flags: checkFlags,
  run: check,
})
