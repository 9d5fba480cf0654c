import { defineCommand } from '../../action.ts'
import { chooseByName, type Api } from '../../api/api.ts'
import type { Answer } from '../../api/operations.ts'
import { textFlag } from '../../cli-context.ts'
import { openOrganization } from '../../target.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'
import { findEnvironmentIds, findSchemaIds } from './find-named.ts'

type Access = Answer<'getMemberAccess'>
type Decision = Access['decisions'][number]

const acts: Readonly<Record<Decision['verb'], string>> = {
  readValues: 'read values and flags',
  readSecrets: 'read secrets',
  writeValues: 'write values',
  writeSchemas: 'change schemas',
  manageEnvironments: 'change environments',
  deleteConfig: 'delete configuration',
  manageAccess: 'manage access',
}

/** Defines `signalbox access`. */
export const accessCommand = defineCommand({
  about:
    'Answers for each act whether a member or an API key may do it, with the role or the grant that decides. Without --env and --schema it answers for all environments and schemas together.',
  examples: [
    'signalbox access ada@example.com --env staging',
    'signalbox access "Deploy key" --env production --schema shop',
  ],
  flags: {
    env: textFlag('name', 'Environment to ask about (default: all of them together)'),
    schema: textFlag('name', 'Schema to ask about (default: all of them together)'),
  },
  args: [{ brief: 'Email address of a member, or name of an API key', placeholder: 'who' }],
  run: async (session, { env, schema }, reference) => {
    const { api, organization } = await openOrganization(session)
    const subject = await findSubject(api, organization.id, reference)
    const [environmentId] =
      env === undefined ? [] : await findEnvironmentIds(api, organization.id, [env])
    const [schemaId] =
      schema === undefined ? [] : await findSchemaIds(api, organization.id, [schema])
    const query = { ...(environmentId && { environmentId }), ...(schemaId && { schemaId }) }
    const access = await readAccess(api, organization.id, subject, query)
    const { output } = session
    output.document({ subject, ...query, access })
    const where = `${env ?? 'every environment'}, ${schema === undefined ? 'every schema' : `schema ${schema}`}`
    output.note(`What ${printable(subject.name)} can do in ${printable(where)}:`)
    const rows = access.decisions.map(({ verb, allowed, by }) => [
      acts[verb],
      allowed ? output.styles.green('yes') : output.styles.dim('no'),
      describeSource(by),
    ])
    output.data(renderTable(rows))
  },
})

interface Subject {
  readonly type: 'member' | 'api_key'
  readonly id: string
  readonly name: string
}

/** Finds the member or the API key of this email address, name or id. @throws {CliError} `subject_not_found`, `ambiguous_name` */
async function findSubject(api: Api, orgId: string, reference: string): Promise<Subject> {
  const members = await api.members(orgId)
  const byEmail = members.find(({ email }) => email === reference.toLowerCase())
  if (byEmail !== undefined) return { type: 'member', id: byEmail.userId, name: byEmail.name }
  const known: readonly Subject[] = [
    ...members.map(({ userId: id, name }) => ({ type: 'member', id, name }) as const),
    ...(await api.apiKeys(orgId)).map(({ id, name }) => ({ type: 'api_key', id, name }) as const),
  ]
  return chooseByName(known, reference, {
    noun: 'member or API key',
    code: 'subject_not_found',
    create: 'Name a member by the email address, and a key by its name under API keys.',
  })
}

function readAccess(
  api: Api,
  orgId: string,
  { type, id }: Subject,
  query: { readonly environmentId?: string; readonly schemaId?: string },
): Promise<Access> {
  return type === 'member'
    ? api.call('getMemberAccess', { params: { org_id: orgId, user_id: id }, query })
    : api.call('getKeyAccess', { params: { org_id: orgId, key_id: id }, query })
}

function describeSource(by: Decision['by']): string {
  if (by === null) return 'nothing allows it there'
  if (by.kind === 'key') return 'the access of the key'
  if (by.kind === 'role') return `the role ${by.role}`
  const of = by.group === null ? '' : ` of the group ${printable(by.group.name)}`
  return `the grant ${by.grantId}${of}: ${by.role}`
}
