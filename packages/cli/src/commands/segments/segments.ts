import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import type { Answer, CallInput, Environment } from '../../api/operations.ts'
import { confirmChange } from '../../changes/confirm.ts'
import { changeFlags, sendConfirmed } from '../../changes/confirmation.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import { proveFlags, requestFlags, textFlag, type CliContext } from '../../cli-context.ts'
import { isRecord, readJsonFile } from '../../project/json.ts'
import type { Session } from '../../session.ts'
import { openOrganization, type Target } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { countOf } from '../../terminal/count.ts'
import { printable } from '../../terminal/printable.ts'
import { renderReview, renderSegment } from './render-segment.ts'

const nameArgument = { brief: 'Name of the segment', placeholder: 'name' } as const
const description = textFlag('text', 'Who the segment is for')

const list = defineList<Answer<'listSegments'>['items'][number]>({
  noun: 'segments',
  word: 'segments',
  member: 'segments',
  about:
    'Lists the segments of the organization, each with who is in it and how many flags use it.',
  create: 'Create one: signalbox segments create <name> --file groups.json',
  read: (api, orgId) => api.segments(orgId),
  rowOf: ({ name, text, flags, description: purpose }, styles) => [
    styles.bold(name),
    printable(text),
    countOf(flags, 'flag'),
    printable(purpose),
  ],
})

const show = defineCommand({
  brief: 'Show a segment',
  about: 'Shows who is in a segment, and the flags that use it.',
  examples: ['signalbox segments show staff', 'signalbox segments show staff --json > staff.json'],
  args: [nameArgument],
  run: async (session, _flags, name) => {
    const { api, organization } = await openOrganization(session)
    const segment = await api.segment(organization.id, name)
    const { output } = session
    output.document({ segment })
    output.data(renderSegment(output, segment))
  },
})

const create = defineCommand({
  brief: 'Create a segment',
  about:
    'Creates a segment out of a JSON file: a list of groups, each with conditions that must all hold. A user is in the segment who is in one of the groups.',
  examples: ['signalbox segments create staff --file staff.json'],
  flags: { file: textFlag('path', 'JSON file with the groups'), description },
  args: [nameArgument],
  run: async (session, flags, name) => {
    if (flags.file === undefined) {
      const why = 'Name the file with the groups of the segment.'
      throw new CliError('usage', 'file_required', why, {
        advice: `signalbox segments create ${name} --file groups.json`,
      })
    }
    const anyOf = await readGroups(session, flags.file)
    const { api, organization } = await openOrganization(session)
    const purpose = flags.description === undefined ? {} : { description: flags.description }
    await carryOut(session, {
      would: `create the segment ${name}`,
      plan: { name, anyOf },
      send: () =>
        api.call('createSegment', {
          params: { org_id: organization.id },
          body: { name, anyOf, ...purpose },
        }),
      done: (segment) => [`Created the segment ${name}. Rules can use it now.`, { segment }],
    })
  },
})

const update = defineCommand({
  brief: 'Change a segment',
  about:
    'Shows every flag that changes with the segment, then changes all of them or none. With --dry-run it only shows them.',
  examples: [
    'signalbox segments update staff --file staff.json --dry-run',
    'signalbox segments update staff --file staff.json --confirm production',
  ],
  flags: {
    file: textFlag('path', 'JSON file with the groups, or what segments show --json prints'),
    description,
    ...changeFlags,
    ...proveFlags,
  },
  args: [nameArgument],
  run: async (session, flags, name) => {
    if (flags.file === undefined && flags.description === undefined) {
      throw new CliError('usage', 'change_required', `Nothing to change in ${name}: give a flag.`, {
        advice: 'signalbox segments update --help',
      })
    }
    const target = await openOrganization(session)
    const { api, organization } = target
    const before = await api.segment(organization.id, name)
    const anyOf = flags.file === undefined ? before.anyOf : await readGroups(session, flags.file)
    const after = { anyOf, description: flags.description ?? before.description }
    const send = (rest: { readonly dryRun?: true; readonly confirm?: string[] }) =>
      api.call('replaceSegment', {
        params: { org_id: organization.id, segment: name },
        body: { ...after, ...rest },
        ifMatch: before.version,
      })
    const { environments } = await send({ dryRun: true })
    const { output } = session
    const review = renderReview(output, before, { ...after, environments })
    if (flags.dryRun) {
      output.document({ dryRun: true, name, ...after, environments })
      output.result(review)
      return
    }
    output.note(review)
    const changed = new Set(environments.map(({ environmentId }) => environmentId))
    const environment = await findProduction(target, changed)
    const question = `Change the segment ${name}?`
    const typed =
      environment === undefined
        ? []
        : await confirmChange(session, { environment, question, confirmed: flags.confirm })
    const updated = await sendConfirmed(session, flags, typed, send)
    output.document({ segment: updated })
    output.result(
      updated.version === before.version
        ? `The segment ${name} is the same already.`
        : `${output.styles.green('✓')} Changed the segment ${name} to version ${updated.version}`,
    )
  },
})

/** Finds a production environment among those whose flags change. Its name is asked for. */
async function findProduction(
  { api, organization }: Pick<Target, 'api' | 'organization'>,
  changed: ReadonlySet<string>,
): Promise<Environment | undefined> {
  if (changed.size === 0) return undefined
  const environments = await api.environments(organization.id)
  return environments.find(({ id, production }) => production && changed.has(id))
}

const remove = defineCommand({
  brief: 'Delete a segment',
  about: 'Deletes a segment that no flag uses. One in use stays, and the error names the flags.',
  examples: ['signalbox segments delete beta --yes'],
  flags: requestFlags,
  args: [nameArgument],
  run: async (session, _flags, name) => {
    const { api, organization } = await openOrganization(session)
    const { version } = await api.segment(organization.id, name)
    await carryOut(session, {
      would: `delete the segment ${name}`,
      plan: { name },
      ask: askToDelete(name, `Delete the segment ${name} with its versions?`),
      send: () =>
        api.call('deleteSegment', {
          params: { org_id: organization.id, segment: name },
          ifMatch: version,
        }),
      done: () => [`Deleted the segment ${name}`, { deleted: name }],
    })
  },
})

/** Lists the groups of a segment, as a request has them. */
type Groups = NonNullable<CallInput<'replaceSegment'>['body']>['anyOf']

/**
 * Reads the groups of a segment out of a file: a list of groups, or what `signalbox segments show --json` prints. The server
 * checks the groups.
 *
 * @throws {CliError} `invalid_groups` for another content
 */
async function readGroups(session: Session, file: string): Promise<Groups> {
  const groups = findGroups(await readJsonFile(session, file))
  if (groups !== undefined) return groups
  throw new CliError('usage', 'invalid_groups', `${file} is no JSON list of groups.`, {
    advice: `Write it like this: ${JSON.stringify(example)}`,
  })
}

const example = [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }] }]

function findGroups(content: unknown): Groups | undefined {
  if (isRecord(content)) return findGroups(content['segment'] ?? content['anyOf'])
  if (!Array.isArray(content)) return undefined
  // The server checks the groups, and points at each violation.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return content as Groups
}

/** Defines `signalbox segments`, whose default is the list. */
export const segmentsRoutes = buildRouteMap<
  'list' | 'show' | 'create' | 'update' | 'delete',
  CliContext
>({
  routes: { list, show, create, update, delete: remove },
  defaultCommand: 'list',
  docs: { brief: briefs.segments },
})
