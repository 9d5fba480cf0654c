import { importSources } from '@signalbox/contract'
import type { ImportPlan } from '@signalbox/contract/rest'
import type { ChangeRequest, ConfigSchema } from '../../api/operations.ts'
import { ChangesRequested } from '../../api/requests/changes-requested.ts'
import { defineCommand } from '../../action.ts'
import { type Confirmation, sendConfirmed } from '../../changes/confirmation.ts'
import { definitionAdvice, composeImported } from './definition-of-import.ts'
import type { Importer, ReadExport } from '../../importers/importer.ts'
import { findImporter, sourceWords } from '../../importers/registry.ts'
import { joinPlans, listUnaccepted, renderPlan } from '../../importers/render-plan.ts'
import { toBatches } from '../../importers/to-batches.ts'
import { adoptStoredKeys } from '../../importers/variables/adopt-stored-keys.ts'
import { createToIssue } from '../../importers/variables/variable.ts'
import { runServer } from '../../server-bin/run-server.ts'
import type { Session } from '../../session.ts'
import { chooseSchemaName, openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'
import { compareImport, requireJudge } from './compare-import.ts'
import { importFlags, readSource, type ImportFlags } from './read-import.ts'

async function runImport(
  session: Session,
  flags: ImportFlags,
  source: string,
  file?: string,
): Promise<{ readonly exitWith: number | NodeJS.Signals } | undefined> {
  const importer = findImporter(source)
  if (importer === undefined) return { exitWith: await restore(session, flags, source, file) }
  const name = importSources[importer.source]
  if (flags.compare !== undefined) requireJudge(importer, name)
  const { text, options, read } = await readSource(session, flags, importer, file)
  if (read.keys.length === 0 && read.leftOut.length === 0) {
    throw new CliError('failure', 'nothing_to_import', 'The export has nothing to import.')
  }
  if (flags.compare !== undefined) {
    return compareImport(session, { importer, name, text, options, read, contexts: flags.compare })
  }
  return storeImport(session, flags, importer, read)
}

async function storeImport(
  session: Session,
  flags: ImportFlags,
  importer: Importer,
  read: ReadExport,
): Promise<{ readonly exitWith: number } | undefined> {
  const { api, organization } = await openOrganization(session)
  const schema = await chooseSchemaName(session)
  const stored = importer.variableCodes && (await api.findSchema(organization.id, schema))
  const batches = toBatches(
    importer.source,
    importer.variableCodes && stored
      ? adoptStoredKeys(read, stored.schema, createToIssue(importer.variableCodes))
      : read,
  )
  const send = async (dryRun: boolean) => {
    const plans: ImportPlan[] = []
    const requests: ChangeRequest[] = []
    for (const [index, document] of batches.entries()) {
      const part = batches.length === 1 ? '' : ` (part ${index + 1} of ${batches.length})`
      const label = `${dryRun ? 'Planning' : 'Importing'} from ${importSources[importer.source]}${part}`
      const call = (confirmation: Confirmation) =>
        session.progress(label, () =>
          api.call('importConfig', {
            params: { org_id: organization.id },
            body: {
              schema,
              document,
              ...(flags.update !== undefined && { update: [...flags.update] }),
              ...(flags.allowPlain !== undefined && { allowPlain: [...flags.allowPlain] }),
              ...(dryRun ? { dryRun } : {}),
              ...confirmation,
            },
          }),
        )
      try {
        plans.push(await sendConfirmed(session, flags, [], call))
      } catch (error) {
        // One request holds as much as one part does.
        if (!(error instanceof ChangesRequested)) throw error
        requests.push(...error.requests)
      }
    }
    if (requests.length > 0) throw new ChangesRequested(requests, { imported: plans.length })
    return joinPlans(plans)
  }
  const plan = await send(true)
  if (plan === undefined) return undefined
  return finish(session, flags, {
    plan,
    store: () => send(false),
    find: () => api.findSchema(organization.id, schema),
  })
}

interface Planned {
  readonly plan: ImportPlan
  readonly store: () => Promise<ImportPlan | undefined>
  /** Returns the schema as it is stored. */
  readonly find: () => Promise<ConfigSchema | undefined>
}

/** Shows the plan, and stores it unless it is a dry run or holds HIGH issues that nobody accepted. */
async function finish(
  session: Session,
  flags: ImportFlags,
  { plan, store, find }: Planned,
): Promise<{ readonly exitWith: number } | undefined> {
  const { output, prompts } = session
  const open = listUnaccepted(plan, flags.accept ?? [])
  const isHeld = open.length > 0
  const lines = renderPlan(plan, output.limit).map(printable)
  if (flags.dryRun === true || isHeld) {
    output.document({ ...plan, unaccepted: open })
    output.result(lines.join('\n'))
    if (!isHeld) return undefined
    output.note(
      `Nothing was imported: ${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} HIGH. Read above what is lost, then repeat with --accept ${open.join(',')}.`,
    )
    return { exitWith: exitCodes.differences }
  }
  if (flags.yes !== true && prompts.blockedBy === undefined) {
    output.result(lines.join('\n'))
    const isMeant = await prompts.confirm('Import this?', true)
    if (!isMeant) throw new CliError('cancelled', 'cancelled', 'Cancelled. Nothing was changed.')
  }
  return report(session, flags, (await store()) ?? plan, find)
}

/** Shows what was stored. With the definition on stdout, which can become the file, the plan is on stderr. */
async function report(
  { output }: Session,
  { printDefinition }: ImportFlags,
  done: ImportPlan,
  find: Planned['find'],
): Promise<undefined> {
  const lines = renderPlan(done, output.limit).map(printable).join('\n')
  const stored = printDefinition === true ? await find() : undefined
  if (stored === undefined) {
    output.document({ ...done, unaccepted: [] })
    output.result(lines)
    if (done.counts.create > 0) output.note(definitionAdvice(done.counts.create))
    return undefined
  }
  const { text, advice } = await composeImported(done, stored)
  output.document({ ...done, unaccepted: [], definition: text })
  output.note(lines)
  output.result(text)
  if (advice !== undefined) output.note(advice)
  return undefined
}

/** Fills the database from an export of the server itself. */
function restore(session: Session, flags: ImportFlags, file: string, more: string | undefined) {
  // A file of the server is given alone: the first of two words was meant as a source.
  if (more !== undefined) {
    throw new CliError('usage', 'unknown_source', `There is no source "${printable(file)}".`, {
      advice: `Use one of ${sourceWords.join(', ')}.`,
    })
  }
  if (flags.dryRun)
    throw new CliError('usage', 'no_dry_run', 'import has no dry run of a database.')
  const passed = [...(flags.json ? ['--json'] : []), ...(flags.force ? ['--force'] : [])]
  return runServer(session, ['import', ...passed, file])
}

/** Defines `signalbox import`. */
export const importCommand = defineCommand({
  about:
    "Reads flags, configuration and secrets from an export of another product, or with its token, which stays on this machine. A file that may hold secrets has to be readable for you alone (chmod 600). Shows a plan first: for each key exact, differs or left out, and why. No plan shows a value. Nothing that exists is changed unless --update names it. With HIGH issues nothing is imported until --accept names them (exit code 8). With --compare, nothing is imported: each line of a file is a context, which the SDK of the product, installed in your project, and our rules decide. Differences end with 8. With a file of signalbox export, fills an empty database completely or not at all: the file doesn't contain the root key, so set SIGNALBOX_ROOT_KEY, or copy root.key of the data directory, and stop every node of the service first.",
  examples: [
    'signalbox import launchdarkly flags.json --dry-run',
    'signalbox import launchdarkly --from-env --project shop --map prod=production',
    'signalbox import launchdarkly flags.json --accept LD-T020 --yes',
    'signalbox import unleash features.json --env production --compare contexts.jsonl',
    'signalbox import dotenv .env --env development',
    'signalbox import vault --from-env --path secret/shop --env production',
    'gh secret list --json name | signalbox import github-actions - --schema shop --yes',
    'doppler secrets download --no-file --format json | signalbox import doppler - --env staging --yes',
    'signalbox import backup.signalbox --force',
  ],
  flags: importFlags,
  args: [
    {
      brief: `${sourceWords.join(', ')}; or an export of the server`,
      placeholder: 'source',
    },
    {
      brief: 'Export file of the source; - is stdin',
      placeholder: 'file',
      optional: true,
    },
  ],
  run: runImport,
})
